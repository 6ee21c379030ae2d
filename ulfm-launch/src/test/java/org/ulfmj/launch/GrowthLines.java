package org.ulfmj.launch;

import java.io.IOException;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a job of {@link Growing}. Those of different processes may come in any order. */
final class GrowthLines {
    private static final Pattern RANKS = Pattern.compile("(\\d+) ranks(?=\n)");

    private GrowthLines() {}

    /** Waits until rank 0 has said last that there are so many ranks. */
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

    /** Waits until a process has said its pid, and returns that. */
    static long awaitPid(Launched job, int number) throws IOException {
        return awaitPid(job, Pattern.compile("process " + number + " is (\\d+)\\."));
    }

    /** The pid of the first process that has said it. */
    static long awaitFirstPid(Launched job) throws IOException {
        return awaitPid(job, Pattern.compile("process \\d+ is (\\d+)\\."));
    }

    private static long awaitPid(Launched job, Pattern line) throws IOException {
        MatchResult said = job.awaitMatch(line);
        return Long.parseLong(said.group(1));
    }
}
