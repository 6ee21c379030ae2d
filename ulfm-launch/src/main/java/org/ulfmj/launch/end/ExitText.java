package org.ulfmj.launch.end;

import java.util.Map;

/** Exit codes in words. */
public final class ExitText {
    private static final int SIGNAL_BASE = 128;
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "HUP"),
            Map.entry(2, "INT"),
            Map.entry(3, "QUIT"),
            Map.entry(4, "ILL"),
            Map.entry(6, "ABRT"),
            Map.entry(7, "BUS"),
            Map.entry(8, "FPE"),
            Map.entry(9, "KILL"),
            Map.entry(10, "USR1"),
            Map.entry(11, "SEGV"),
            Map.entry(12, "USR2"),
            Map.entry(13, "PIPE"),
            Map.entry(14, "ALRM"),
            Map.entry(15, "TERM"));
    private static final Map<Integer, String> OWN = Map.of(
            118, "fenced: the others hold it for failed",
            119, "orphaned: it lost its launcher",
            120, "a broken invariant");

    private ExitText() {}

    /** Says in words how a process ended, as the predicate of a sentence: {@code exited with code 3}. */
    public static String of(int exitCode) {
        String signal = SIGNALS.get(exitCode - SIGNAL_BASE);
        if (signal != null) {
            return "was killed by signal " + (exitCode - SIGNAL_BASE) + " (" + signal + ")";
        }
        String own = OWN.get(exitCode);
        return "exited with code " + exitCode + (own == null ? "" : " (" + own + ")");
    }
}
