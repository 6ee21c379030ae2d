package org.ulfmj.launch.agent;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * A message between the launcher and a host agent. A process has a number, which the launcher gives: from 1, a new one
 * for each process of a host.
 */
sealed interface AgentMessage {
    /** The longest message in bytes: one frame. */
    int MAX_BYTES = 256 << 10;
    /** The most bytes of a stream in one message. */
    int MAX_PIECE_BYTES = 64 << 10;

    /** The number of the message's type on the wire. */
    int type();

    void writeTo(WireWriter out);

    // ---- from the launcher

    /**
     * Starts a process.
     *
     * @param id its place; null for a spare
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
            implements AgentMessage {
        static final int TYPE = 1;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putByte(id == null ? 0 : 1);
            if (id != null) {
                out.putProcess(id);
            }
            out.putInt(spare).putInt(localRank).putInt(command);
            putVariables(out, environment);
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
                    getVariables(in),
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
    record Signal(int number, String name, boolean toGroup) implements AgentMessage {
        static final int TYPE = 2;

        @Override
        public int type() {
            return TYPE;
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
    record Condemn(int number) implements AgentMessage {
        static final int TYPE = 3;

        @Override
        public int type() {
            return TYPE;
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
    record Assigned(int number, ProcessId id, int localRank) implements AgentMessage {
        static final int TYPE = 4;

        @Override
        public int type() {
            return TYPE;
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
    record Input(int number, byte[] bytes) implements AgentMessage {
        static final int TYPE = 5;

        @Override
        public int type() {
            return TYPE;
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
    record OutputRead(int number, boolean isOut, int bytes) implements AgentMessage {
        static final int TYPE = 6;

        @Override
        public int type() {
            return TYPE;
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
    record End(boolean isClean) implements AgentMessage {
        static final int TYPE = 7;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putByte(isClean ? 1 : 0);
        }

        static End readFrom(WireReader in) {
            return new End(in.getByte() != 0);
        }
    }

    // ---- from the agent

    /**
     * The agent is ready to start processes, and no process of an earlier agent of the host is left.
     *
     * @param launcher the address at which it reached the launcher, as a literal
     * @param pid its own
     */
    record Ready(String launcher, long pid) implements AgentMessage {
        static final int TYPE = 32;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putText(launcher).putLong(pid);
        }

        static Ready readFrom(WireReader in) {
            return new Ready(in.getText(), in.getLong());
        }
    }

    /** Something on the host keeps the agent from its work: the reason. The agent ends. */
    record Unable(String why) implements AgentMessage {
        static final int TYPE = 33;

        @Override
        public int type() {
            return TYPE;
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
    record Alive() implements AgentMessage {
        static final int TYPE = 34;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {}
    }

    record Started(int number, long pid) implements AgentMessage {
        static final int TYPE = 35;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putLong(pid);
        }

        static Started readFrom(WireReader in) {
            return new Started(in.getInt(), in.getLong());
        }
    }

    record NotStarted(int number, String why) implements AgentMessage {
        static final int TYPE = 36;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putText(why);
        }

        static NotStarted readFrom(WireReader in) {
            return new NotStarted(in.getInt(), in.getText());
        }
    }

    /** The process is dead and was not reaped yet. */
    record Died(int number, int exitCode) implements AgentMessage {
        static final int TYPE = 37;

        @Override
        public int type() {
            return TYPE;
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
    record Ended(int number, int exitCode) implements AgentMessage {
        static final int TYPE = 38;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putInt(exitCode);
        }

        static Ended readFrom(WireReader in) {
            return new Ended(in.getInt(), in.getInt());
        }
    }

    /** A thread of a dead process waits for a disk and does not end. */
    record Unreaped(int number) implements AgentMessage {
        static final int TYPE = 39;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number);
        }

        static Unreaped readFrom(WireReader in) {
            return new Unreaped(in.getInt());
        }
    }

    /** The state of a process that stands still, stood still before, or is to end. */
    record Looked(int number, char state, boolean isKillPending) implements AgentMessage {
        static final int TYPE = 40;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putInt(state).putByte(isKillPending ? 1 : 0);
        }

        static Looked readFrom(WireReader in) {
            return new Looked(in.getInt(), (char) in.getInt(), in.getByte() != 0);
        }
    }

    /** A piece of a stream of a process; empty at its end. */
    record Output(int number, boolean isOut, byte[] bytes) implements AgentMessage {
        static final int TYPE = 41;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number).putByte(isOut ? 1 : 0).putBlob(bytes);
        }

        static Output readFrom(WireReader in) {
            return new Output(in.getInt(), in.getByte() != 0, in.getBlob());
        }
    }

    /** The process has taken a number of bytes of its stdin. */
    record InputRead(int number, int bytes) implements AgentMessage {
        static final int TYPE = 42;

        @Override
        public int type() {
            return TYPE;
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
    record InputClosed(int number) implements AgentMessage {
        static final int TYPE = 43;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putInt(number);
        }

        static InputClosed readFrom(WireReader in) {
            return new InputClosed(in.getInt());
        }
    }

    /** Nothing of the job is left on the host; the agent ends. */
    record Left() implements AgentMessage {
        static final int TYPE = 44;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void writeTo(WireWriter out) {}
    }

    // ---- the wire

    /**
     * Whether the message waits behind the bytes of streams, which must delay no death and are all told before the end.
     */
    default boolean isData() {
        return this instanceof Output || this instanceof Input || this instanceof Left;
    }

    static byte[] encode(AgentMessage message) {
        WireWriter out = new WireWriter(MAX_BYTES);
        out.putByte(message.type());
        message.writeTo(out);
        return out.toByteArray();
    }

    /** @throws WireFormatException if the bytes are no message */
    static AgentMessage decode(WireReader in) {
        int type = in.getByte();
        AgentMessage message =
                switch (type) {
                    case Start.TYPE -> Start.readFrom(in);
                    case Signal.TYPE -> Signal.readFrom(in);
                    case Condemn.TYPE -> Condemn.readFrom(in);
                    case Assigned.TYPE -> Assigned.readFrom(in);
                    case Input.TYPE -> Input.readFrom(in);
                    case OutputRead.TYPE -> OutputRead.readFrom(in);
                    case End.TYPE -> End.readFrom(in);
                    case Ready.TYPE -> Ready.readFrom(in);
                    case Unable.TYPE -> Unable.readFrom(in);
                    case Alive.TYPE -> new Alive();
                    case Started.TYPE -> Started.readFrom(in);
                    case NotStarted.TYPE -> NotStarted.readFrom(in);
                    case Died.TYPE -> Died.readFrom(in);
                    case Ended.TYPE -> Ended.readFrom(in);
                    case Unreaped.TYPE -> Unreaped.readFrom(in);
                    case Looked.TYPE -> Looked.readFrom(in);
                    case Output.TYPE -> Output.readFrom(in);
                    case InputRead.TYPE -> InputRead.readFrom(in);
                    case InputClosed.TYPE -> InputClosed.readFrom(in);
                    case Left.TYPE -> new Left();
                    default -> throw new WireFormatException("message of unknown type " + type + " on an agent's line");
                };
        in.requireEnd();
        return message;
    }

    /** Writes variables; a value that is null takes its variable away. */
    static void putVariables(WireWriter out, Map<String, String> variables) {
        out.putInt(variables.size());
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            out.putText(variable.getKey()).putByte(variable.getValue() == null ? 0 : 1);
            if (variable.getValue() != null) {
                out.putText(variable.getValue());
            }
        }
    }

    static Map<String, String> getVariables(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Integer.BYTES + 1, "variables");
        Map<String, String> variables = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            variables.put(in.getText(), in.getByte() == 0 ? null : in.getText());
        }
        return variables;
    }
}
