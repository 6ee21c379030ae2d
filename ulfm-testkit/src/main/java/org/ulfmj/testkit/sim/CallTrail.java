package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The last calls of one rank. */
final class CallTrail {
    private static final int MOST = 16;
    private static final double NS_PER_MS = 1e6;

    private final String[] operations = new String[MOST];
    private final long[] timesNs = new long[MOST];
    private long count;

    void add(long timeNs, String operation) {
        int at = (int) (count++ % MOST);
        operations[at] = operation;
        timesNs[at] = timeNs;
    }

    /** Returns the number of calls so far. */
    long count() {
        return count;
    }

    /** Returns the call that the rank is in, or was in last. */
    String last() {
        return count == 0 ? "nothing" : operations[(int) ((count - 1) % MOST)];
    }

    /** Returns the last calls as {@code send (0.010 ms), recv (0.020 ms)}, the last one last. */
    List<String> lines(long startNs) {
        List<String> lines = new ArrayList<>();
        for (long i = Math.max(0, count - MOST); i < count; i++) {
            int at = (int) (i % MOST);
            lines.add(String.format(Locale.ROOT, "%s (%.3f ms)", operations[at], (timesNs[at] - startNs) / NS_PER_MS));
        }
        return lines;
    }
}
