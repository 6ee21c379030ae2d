package org.ulfmj.runtime.inject;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes plans of faults, as a user writes them. */
final class InjectPlanFuzz implements FuzzTarget {
    private static final int RANKS = 8;

    @Override
    public List<byte[]> samples() {
        return List.of(
                text("kill:rank=1@op=allreduce#3"),
                text("kill:rank=2@t=2s;kill:rank=3@t=500ms"),
                text("kill:rank=any(2)@t=2s"),
                text("blackhole:link=2>3@t=2s..4s; delay:*,ms=20±10,p=0.1@now"),
                text("random:*,max=2,rate=1/3s,of=kill|stop|reset,keep=0@t=1s..60s"),
                text("mock=1,2,3,0"));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void parse(byte[] input) {
        InjectPlan.parse(List.of(new String(input, StandardCharsets.UTF_8)), RANKS)
                .isRandom();
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IllegalArgumentException.class, InjectSyntaxException.class);
    }

    /** An unknown word is compared letter by letter with all known words, which takes memory. */
    @Override
    public long capBytes(int lengthBytes) {
        return 1024 * 1024 + 8 * 1024L * lengthBytes;
    }

    @Override
    public List<String> words() {
        return List.of(
                "kill",
                ":",
                "rank=",
                "any(",
                ")",
                "@",
                "op=",
                "#",
                "byte=",
                "point=",
                "t=",
                "..",
                "2s",
                ";",
                "*",
                ",",
                "every",
                "~",
                "node=",
                "link=",
                ">",
                "ms=",
                "±",
                "p=",
                "rate=",
                "ev=dead(",
                "phase=",
                "99999999999",
                "-1");
    }
}
