package org.ulfmj.runtime.process;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the reading of {@code /proc/locks} and {@code /proc/PID/status}. */
final class HostLockFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return List.of(
                ("1: POSIX  ADVISORY  WRITE 4711 08:01:393223 0 EOF\n1: -> POSIX  ADVISORY  WRITE 99 08:01:7 0 1\n"
                                + "Name:\tjava\nSigPnd:\t0000000000000100\nShdPnd:\t0000000000000000\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void parse(byte[] input) {
        String text = new String(input, StandardCharsets.US_ASCII);
        HostLock.holder(List.of(text.split("\n")), "393223");
        OrphanedHost.hasKill(text);
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of();
    }

    @Override
    public List<String> words() {
        return List.of(":393223", " ", "\n", "SigPnd:", "ShdPnd:", "->", "zz");
    }
}
