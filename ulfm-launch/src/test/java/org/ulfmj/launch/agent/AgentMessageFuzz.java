package org.ulfmj.launch.agent;

import java.util.List;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the parser of messages between the launcher and an agent. */
final class AgentMessageFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return AgentMessageTest.all().stream().map(AgentMessage::encode).toList();
    }

    @Override
    public void parse(byte[] input) {
        AgentMessage.decode(new WireReader(input));
    }
}
