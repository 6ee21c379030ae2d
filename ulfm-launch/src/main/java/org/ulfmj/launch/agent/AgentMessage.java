package org.ulfmj.launch.agent;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * A message between the launcher and a host agent. Most kinds name a process by a number, which the launcher gives:
 * from 1, a new one for each process of a host.
 */
sealed interface AgentMessage permits AgentOrder, AgentNews {
    /** The longest message in bytes: one frame. */
    int MAX_BYTES = 256 << 10;
    /** The most bytes of a process's stream in one message. */
    int MAX_PIECE_BYTES = 64 << 10;

    /** The number of the message's type on the wire. */
    int type();

    void writeTo(WireWriter out);

    // ---- the wire

    /**
     * Whether the message goes into the data lane, in order with the bytes of streams. News of deaths does not, so that
     * stream bytes delay no death; the agent's last message does, so that all stream bytes come before it.
     */
    default boolean isData() {
        return false;
    }

    static byte[] encode(AgentMessage message) {
        WireWriter out = new WireWriter(MAX_BYTES);
        out.putByte(message.type());
        message.writeTo(out);
        return out.toByteArray();
    }

    /** @throws WireFormatException if the bytes are no valid message */
    static AgentMessage decode(WireReader in) {
        int type = in.getByte();
        AgentMessage message =
                switch (type) {
                    case AgentOrder.Start.TYPE -> AgentOrder.Start.readFrom(in);
                    case AgentOrder.Signal.TYPE -> AgentOrder.Signal.readFrom(in);
                    case AgentOrder.Condemn.TYPE -> AgentOrder.Condemn.readFrom(in);
                    case AgentOrder.Assigned.TYPE -> AgentOrder.Assigned.readFrom(in);
                    case AgentOrder.Input.TYPE -> AgentOrder.Input.readFrom(in);
                    case AgentOrder.OutputRead.TYPE -> AgentOrder.OutputRead.readFrom(in);
                    case AgentOrder.WatchCores.TYPE -> AgentOrder.WatchCores.readFrom(in);
                    case AgentOrder.Kill.TYPE -> new AgentOrder.Kill();
                    case AgentOrder.Deafen.TYPE -> AgentOrder.Deafen.readFrom(in);
                    case AgentOrder.End.TYPE -> AgentOrder.End.readFrom(in);
                    case AgentNews.Ready.TYPE -> AgentNews.Ready.readFrom(in);
                    case AgentNews.Unable.TYPE -> AgentNews.Unable.readFrom(in);
                    case AgentNews.Alive.TYPE -> new AgentNews.Alive();
                    case AgentNews.Terminating.TYPE -> new AgentNews.Terminating();
                    case AgentNews.Started.TYPE -> AgentNews.Started.readFrom(in);
                    case AgentNews.NotStarted.TYPE -> AgentNews.NotStarted.readFrom(in);
                    case AgentNews.Died.TYPE -> AgentNews.Died.readFrom(in);
                    case AgentNews.Ended.TYPE -> AgentNews.Ended.readFrom(in);
                    case AgentNews.Unreaped.TYPE -> AgentNews.Unreaped.readFrom(in);
                    case AgentNews.Looked.TYPE -> AgentNews.Looked.readFrom(in);
                    case AgentNews.CoreWaited.TYPE -> AgentNews.CoreWaited.readFrom(in);
                    case AgentNews.Output.TYPE -> AgentNews.Output.readFrom(in);
                    case AgentNews.InputRead.TYPE -> AgentNews.InputRead.readFrom(in);
                    case AgentNews.InputClosed.TYPE -> AgentNews.InputClosed.readFrom(in);
                    case AgentNews.Left.TYPE -> new AgentNews.Left();
                    default -> throw new WireFormatException("message of unknown type " + type + " on an agent's line");
                };
        in.requireEnd();
        return message;
    }

    /** Writes environment variables; a variable whose value is null is to be removed. */
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
