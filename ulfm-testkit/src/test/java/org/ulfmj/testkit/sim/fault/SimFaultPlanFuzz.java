package org.ulfmj.testkit.sim.fault;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the parser of fault plans of simulated worlds, as a user writes them. */
final class SimFaultPlanFuzz implements FuzzTarget {
    private static final int RANKS = 8;

    @Override
    public List<byte[]> samples() {
        return List.of("kill:rank=1@op=allreduce#3".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void parse(byte[] input) {
        SimFaultPlan.parse(List.of(new String(input, StandardCharsets.UTF_8)), RANKS);
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IllegalArgumentException.class);
    }

    /**
     * An unknown word is compared with all known ones, letter by letter, which takes memory in proportion to its
     * length.
     */
    @Override
    public long capBytes(int lengthBytes) {
        return 1024 * 1024 + 8 * 1024L * lengthBytes;
    }

    @Override
    public List<String> words() {
        return List.of(
                "kill",
                "pause",
                "cut",
                "suspect",
                ":",
                "rank=",
                "any(",
                ")",
                "@",
                "op=",
                "#",
                "t=",
                "..",
                "2s",
                ";",
                ",",
                "random",
                "to=",
                "by=",
                "99999999999",
                "-1");
    }
}
