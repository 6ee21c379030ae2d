package org.ulfmj.launch.agent;

import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/** What the launcher says to a host agent: which processes to start, what to do to them, and when to end. */
sealed interface AgentOrder extends AgentMessage {
    /** Calls the method of the handler that is for this message. */
    void tell(Handler handler);

    /** What acts on orders: one method for each. */
    interface Handler {
        void onStart(Start message);

        void onSignal(Signal message);

        void onCondemn(Condemn message);

        void onAssigned(Assigned message);

        void onInput(Input message);

        void onOutputRead(OutputRead message);

        void onWatchCores(WatchCores message);

        void onKill(Kill message);

        void onDeafen(Deafen message);

        void onEnd(End message);
    }

    /** The agent is to kill itself: a fault of a plan. */
    record Kill() implements AgentOrder {
        static final int TYPE = 10;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onKill(this);
        }

        @Override
        public void writeTo(WireWriter out) {}
    }

    /**
     * Nothing of the launcher is to arrive from now on: a fault of a plan.
     *
     * @param durationNs 0 for as long as the job
     */
    record Deafen(long durationNs) implements AgentOrder {
        static final int TYPE = 11;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onDeafen(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putLong(durationNs);
        }

        static Deafen readFrom(WireReader in) {
            return new Deafen(in.getLong());
        }
    }

    /**
     * Starts a process.
     *
     * @param id its place; null for a spare; in an elastic job the child that it is
     * @param spare number of the spare, from 1; 0 for a process that has a place
     * @param localRank index among the processes of its host
     * @param command the place of its command in {@link AgentSpec#commands}
     * @param environment variables besides those of the command; one with the value null is taken away
     * @param isMerged whether its stderr goes where its stdout goes
     * @param readsInput whether it gets {@link Input}
     */
    record Start(
            int number,
            ProcessId id,
            int spare,
            int localRank,
            int command,
            Map<String, String> environment,
            boolean isMerged,
            boolean readsInput)
            implements AgentOrder {
        static final int TYPE = 1;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onStart(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putByte(id == null ? 0 : 1);
            if (id != null) {
                out.putProcess(id);
            }
            out.putInt(spare).putInt(localRank).putInt(command);
            AgentMessage.putVariables(out, environment);
            out.putByte(isMerged ? 1 : 0).putByte(readsInput ? 1 : 0);
        }

        static Start readFrom(WireReader in) {
            int number = in.getInt();
            ProcessId id = in.getByte() == 0 ? null : in.getProcess();
            return new Start(
                    number,
                    id,
                    in.getInt(),
                    in.getInt(),
                    in.getInt(),
                    AgentMessage.getVariables(in),
                    in.getByte() != 0,
                    in.getByte() != 0);
        }
    }

    /**
     * Sends a signal to a process.
     *
     * @param name without SIG
     * @param toGroup whether the children in its group get the signal too
     */
    record Signal(int number, String name, boolean toGroup) implements AgentOrder {
        static final int TYPE = 2;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onSignal(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putText(name).putByte(toGroup ? 1 : 0);
        }

        static Signal readFrom(WireReader in) {
            return new Signal(in.getInt(), in.getText(), in.getByte() != 0);
        }
    }

    /** The launcher wants the process to end: each of its states is told from now on. */
    record Condemn(int number) implements AgentOrder {
        static final int TYPE = 3;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onCondemn(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number);
        }

        static Condemn readFrom(WireReader in) {
            return new Condemn(in.getInt());
        }
    }

    /** A spare has got a place: it is bound to the cores of that place. */
    record Assigned(int number, ProcessId id, int localRank) implements AgentOrder {
        static final int TYPE = 4;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onAssigned(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putProcess(id).putInt(localRank);
        }

        static Assigned readFrom(WireReader in) {
            return new Assigned(in.getInt(), in.getProcess(), in.getInt());
        }
    }

    /** A piece of stdin of a process; empty at its end. */
    record Input(int number, byte[] bytes) implements AgentOrder {
        static final int TYPE = 5;

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
            handler.onInput(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putBlob(bytes);
        }

        static Input readFrom(WireReader in) {
            return new Input(in.getInt(), in.getBlob());
        }
    }

    /** The reader of a stream has taken a number of bytes: as many more may be sent. */
    record OutputRead(int number, boolean isOut, int bytes) implements AgentOrder {
        static final int TYPE = 6;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onOutputRead(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putByte(isOut ? 1 : 0).putInt(bytes);
        }

        static OutputRead readFrom(WireReader in) {
            return new OutputRead(in.getInt(), in.getByte() != 0, in.getInt());
        }
    }

    /**
     * The job is over: the agent leaves nothing on its host and ends.
     *
     * @param isClean whether the job ended by itself, so that what its processes have started may go on
     */
    record End(boolean isClean) implements AgentOrder {
        static final int TYPE = 7;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onEnd(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putByte(isClean ? 1 : 0);
        }

        static End readFrom(WireReader in) {
            return new End(in.getByte() != 0);
        }
    }

    /**
     * Asks how long the threads of a process wait for a core from now on: {@link AgentNews.CoreWaited} follows, for a
     * while. A later order for the same process takes the place of this one.
     *
     * @param pid of the process itself, which a script may have started
     * @param question repeated in the answers
     */
    record WatchCores(ProcessId process, long pid, long question) implements AgentOrder {
        static final int TYPE = 8;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void tell(Handler handler) {
            handler.onWatchCores(this);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putProcess(process).putLong(pid).putLong(question);
        }

        static WatchCores readFrom(WireReader in) {
            return new WatchCores(in.getProcess(), in.getLong(), in.getLong());
        }
    }
}
