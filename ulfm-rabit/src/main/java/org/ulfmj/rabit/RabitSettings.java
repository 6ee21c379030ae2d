package org.ulfmj.rabit;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.runtime.options.Options;

/**
 * What the user chose about the recovery mode; alike at all ranks.
 *
 * @param bootstrap whether operations before {@code loadCheckpoint} are recorded, and so allowed
 * @param timeoutNs how long a call may wait for others before the wait is given up
 * @param resultCopies the least number of ranks that keep a result until the checkpoint, if there are so many ranks
 * @param localCopies the number of copies of a rank's local model in other ranks' memory, if there are so many others
 * @param logBytes the most bytes of recorded results at a rank, also of the bootstrap phase; results since a checkpoint
 *     that the rank has fetched from others do not count
 * @param spillDirectory the directory to which checkpoints are written; empty for none
 * @param replaceCalls after so many calls of replace() in a row that leave a place empty a rank gives up at the latest.
 *     With {@code ulfm.replace.timeout} each, they last at least as long as a process may take to join
 */
record RabitSettings(
        boolean bootstrap,
        long timeoutNs,
        int resultCopies,
        int localCopies,
        long logBytes,
        String spillDirectory,
        int replaceCalls) {
    private static final String PREFIX = "ulfm.rabit.";

    /** @param job null for a process that was given no options */
    static RabitSettings of(Options job, String[] args) {
        Map<String, String> settings =
                new TreeMap<>(job == null ? Options.defaults().toSettings() : job.toSettings());
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (arg.startsWith(PREFIX) && equals > 0) {
                settings.put(arg.substring(0, equals), arg.substring(equals + 1));
            }
        }
        Options options = Options.of(settings);
        return new RabitSettings(
                options.recordsBootstrap(),
                options.rabitTimeoutNs(),
                options.rabitReplicas(),
                options.rabitLocalReplicas(),
                options.rabitLogBytes(),
                options.rabitSpillDirectory(),
                replaceCalls(options));
    }

    /**
     * The number is computed from the options alone, so it is the same at all ranks: they call replace() together, and
     * stop together.
     */
    private static int replaceCalls(Options options) {
        long eachNs = options.rankSettings(1, false, List.of()).replaceTerms().timeoutNs();
        return (int) Math.min(Integer.MAX_VALUE, (options.joinTimeoutNs() + eachNs - 1) / eachNs);
    }
}
