package org.ulfmj.launch.agent;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/** A message by which a host agent tells the launcher about itself or about the processes of its host. */
sealed interface AgentNews extends AgentMessage {
    /** Calls the method of the handler that handles this kind of message. */
    void tell(Handler handler);

    /** Handles news of an agent, with one method per kind. */
    interface Handler {
        void onReady(Ready message);

        void onUnable(Unable message);

        void onAlive(Alive message);

        void onTerminating(Terminating message);

        void onStarted(Started message);

        void onNotStarted(NotStarted message);

        void onDied(Died message);

        void onEnded(Ended message);

        void onUnreaped(Unreaped message);

        void onLooked(Looked message);

        void onCoreWaited(CoreWaited message);

        void onOutput(Output message);

        void onInputRead(InputRead message);

        void onInputClosed(InputClosed message);

        void onLeft(Left message);
    }

    /**
     * The agent is ready to start processes, and no process of an earlier agent of the host is left.
     *
     * @param launcher the address at which the agent reached the launcher, as a literal
     * @param pid the agent's own pid
     */
    record Ready(String launcher, long pid) implements AgentNews {
        static final int TYPE = 32;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onReady(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putText(launcher).putLong(pid);
        }

        static Ready readFrom(WireReader in) {
            return new Ready(in.getText(), in.getLong());
        }
    }

    /** Something on the host keeps the agent from its work, for the reason {@code why}. The agent ends. */
    record Unable(String why) implements AgentNews {
        static final int TYPE = 33;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onUnable(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putText(why);
        }

        static Unable readFrom(WireReader in) {
            return new Unable(in.getText());
        }
    }

    /** Says nothing but that the agent lives. */
    record Alive() implements AgentNews {
        static final int TYPE = 34;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onAlive(this);
        }

        @Override
        public void writeTo(WireWriter out) {}
    }

    /**
     * The host is wanted back, by SIGTERM to the agent: the host's processes get SIGTERM too and may end in their own
     * way, and the agent starts no further ones.
     */
    record Terminating() implements AgentNews {
        static final int TYPE = 45;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onTerminating(this);
        }

        @Override
        public void writeTo(WireWriter out) {}
    }

    record Started(int number, long pid) implements AgentNews {
        static final int TYPE = 35;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onStarted(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putLong(pid);
        }

        static Started readFrom(WireReader in) {
            return new Started(in.getInt(), in.getLong());
        }
    }

    record NotStarted(int number, String why) implements AgentNews {
        static final int TYPE = 36;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onNotStarted(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putText(why);
        }

        static NotStarted readFrom(WireReader in) {
            return new NotStarted(in.getInt(), in.getText());
        }
    }

    /** The process is dead, but may not have been reaped yet. */
    record Died(int number, int exitCode) implements AgentNews {
        static final int TYPE = 37;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onDied(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putInt(exitCode);
        }

        static Died readFrom(WireReader in) {
            return new Died(in.getInt(), in.getInt());
        }
    }

    /** The process was reaped. */
    record Ended(int number, int exitCode) implements AgentNews {
        static final int TYPE = 38;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onEnded(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putInt(exitCode);
        }

        static Ended readFrom(WireReader in) {
            return new Ended(in.getInt(), in.getInt());
        }
    }

    /** A dead process cannot be reaped yet, since a thread of it waits for a disk and does not end. */
    record Unreaped(int number) implements AgentNews {
        static final int TYPE = 39;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onUnreaped(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number);
        }

        static Unreaped readFrom(WireReader in) {
            return new Unreaped(in.getInt());
        }
    }

    /**
     * The state of a process that is stopped or in uninterruptible sleep, or was so at the last look, or is to be
     * killed.
     */
    record Looked(int number, char state, boolean isKillPending) implements AgentNews {
        static final int TYPE = 40;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onLooked(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putInt(state).putByte(isKillPending ? 1 : 0);
        }

        static Looked readFrom(WireReader in) {
            return new Looked(in.getInt(), (char) in.getInt(), in.getByte() != 0);
        }
    }

    /**
     * An answer to {@link AgentOrder.WatchCores}; for a while one is sent each time that the waiting time has grown.
     *
     * @param waitedNs the time since the question for which the process waited for a core; of its thread that waited
     *     longest
     */
    record CoreWaited(ProcessId process, long question, long waitedNs) implements AgentNews {
        static final int TYPE = 46;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onCoreWaited(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putProcess(process).putLong(question).putLong(waitedNs);
        }

        static CoreWaited readFrom(WireReader in) {
            return new CoreWaited(in.getProcess(), in.getLong(), in.getLong());
        }
    }

    /** A piece of a process's stdout or stderr; empty at the end of the stream. */
    record Output(int number, boolean isOut, byte[] bytes) implements AgentNews {
        static final int TYPE = 41;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public boolean isData() {
            return true;
        }

        @Override
        public void tell(Handler handler) {
            handler.onOutput(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putByte(isOut ? 1 : 0).putBlob(bytes);
        }

        static Output readFrom(WireReader in) {
            return new Output(in.getInt(), in.getByte() != 0, in.getBlob());
        }
    }

    /** So many bytes were written into the process's stdin, so the launcher may send as many more. */
    record InputRead(int number, int bytes) implements AgentNews {
        static final int TYPE = 42;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onInputRead(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putInt(bytes);
        }

        static InputRead readFrom(WireReader in) {
            return new InputRead(in.getInt(), in.getInt());
        }
    }

    /** The process does not read its stdin any more. */
    record InputClosed(int number) implements AgentNews {
        static final int TYPE = 43;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onInputClosed(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number);
        }

        static InputClosed readFrom(WireReader in) {
            return new InputClosed(in.getInt());
        }
    }

    /** The agent has ended what it was to end of the job on its host, and has removed its files; it ends now. */
    record Left() implements AgentNews {
        static final int TYPE = 44;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public boolean isData() {
            return true;
        }

        @Override
        public void tell(Handler handler) {
            handler.onLeft(this);
        }

        @Override
        public void writeTo(WireWriter out) {}
    }
}
