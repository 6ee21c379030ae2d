package org.ulfmj.launch;

import java.io.IOException;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Waits for lines that a job of {@link Growing} prints. Lines of different processes may come in any order. */
final class GrowthLines {
    private static final Pattern RANKS = Pattern.compile("(\\d+) ranks(?=\n)");

    private GrowthLines() {}

    /** Waits until the last number of ranks that rank 0 has printed is this one. */
    static void awaitRanks(Launched job, int count) throws IOException {
        Waiting.until(
                () -> lastRanks(job).equals(Integer.toString(count)),
                () -> "the last is not " + count + " ranks: " + job.outSoFar() + job.errSoFar());
    }

    private static String lastRanks(Launched job) {
        Matcher said = RANKS.matcher(job.outSoFar());
        String last = "";
        while (said.find()) {
            last = said.group(1);
        }
        return last;
    }

    /** Waits until the process with this number has printed its pid, and returns the pid. */
    static long awaitPid(Launched job, int number) throws IOException {
        return awaitPid(job, Pattern.compile("process " + number + " is (\\d+)\\."));
    }

    /** Waits until any process has printed its pid, and returns the pid of the first line. */
    static long awaitFirstPid(Launched job) throws IOException {
        return awaitPid(job, Pattern.compile("process \\d+ is (\\d+)\\."));
    }

    private static long awaitPid(Launched job, Pattern line) throws IOException {
        MatchResult said = job.awaitMatch(line);
        return Long.parseLong(said.group(1));
    }
}
