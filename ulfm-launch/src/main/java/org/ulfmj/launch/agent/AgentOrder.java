package org.ulfmj.launch.agent;

import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/** A message of the launcher to a host agent: an order, a piece of stdin, or the news that output was read. */
sealed interface AgentOrder extends AgentMessage {
    /** Calls the method of the handler that handles this kind of message. */
    void tell(Handler handler);

    /** Handles orders of the launcher, with one method per kind. */
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

    /** The agent must kill itself, as a fault of a fault plan. */
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
     * The agent must drop everything that the launcher sends from now on, as a fault of a fault plan.
     *
     * @param durationNs for how long; 0 for as long as the job runs
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
     * @param number the launcher's number for the process
     * @param id its slot and incarnation; null for a spare; in an elastic job the child that it is
     * @param spare the number of the spare, from 1; 0 for a process that has a place
     * @param localRank the index among the processes of its host
     * @param command the index of its command in {@link AgentSpec#commands}
     * @param environment variables besides those of the command; one whose value is null is removed
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
     * @param name the signal's name without SIG
     * @param toGroup whether the children in its process group get the signal too
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

    /**
     * The launcher wants the process to end: from now on the agent reports the state of the process at each look, if
     * the process is a Java virtual machine.
     */
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

    /** A spare has got a place: the agent binds it to the cores of that place, if ranks are bound for good. */
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

    /** A piece of stdin for a process; empty at the end of stdin. */
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

    /** The launcher has read so many bytes of the process's output stream, so the agent may send as many more. */
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
     * The job has ended, or it does not use the host any more: the agent ends all that is left of the job on its host,
     * and then ends itself.
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
     * Asks how long the threads of a process wait for a core from now on; {@link AgentNews.CoreWaited} is sent for a
     * while. A later order for the same process replaces this one.
     *
     * @param pid the pid of the rank itself, which a script may have started
     * @param question a number that the answers repeat
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
