package org.ulfmj.transport.host;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the parsing of a line of {@code /proc/PID/stat}, in which the process chooses its name itself. */
final class ProcessStatFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return List.of(
                text("4711 (java) S 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 15 16 17 18 424242 20 21 256"),
                text("4711 (a) Z (b) R 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 15 16 17 18 424242 20 21 9"));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void parse(byte[] input) {
        ProcessStat stat = ProcessStat.parse(new String(input, StandardCharsets.ISO_8859_1));
        stat.pid();
        stat.name();
        stat.state();
        stat.hasEnded();
        stat.exitCode();
        stat.parent();
        stat.terminalGroup();
        stat.processorTicks();
        stat.hasEndedWholly();
        stat.startTicks();
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IllegalStateException.class);
    }

    @Override
    public List<String> words() {
        return List.of("(", ")", " ", "-", "99999999999999999999");
    }
}
