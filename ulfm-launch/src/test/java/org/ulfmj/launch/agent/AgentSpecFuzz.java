package org.ulfmj.launch.agent;

import java.util.Base64;
import java.util.List;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the parser of the line that an agent reads from its stdin. */
final class AgentSpecFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return List.of(Base64.getDecoder().decode(Specs.one().toLine()));
    }

    @Override
    public void parse(byte[] input) {
        AgentSpec.of(Base64.getEncoder().encodeToString(input));
    }
}
