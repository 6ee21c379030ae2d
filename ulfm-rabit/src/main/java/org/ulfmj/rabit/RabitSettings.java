package org.ulfmj.rabit;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.runtime.options.Options;

/**
 * What the user chose about the recovery mode; alike at all ranks.
 *
 * @param bootstrap whether operations before {@code loadCheckpoint} are recorded, and so allowed
 * @param timeoutNs longest wait of a call
 * @param resultCopies ranks that keep a result until the checkpoint, at least
 * @param localCopies of a rank's local model in other ranks' memory
 * @param logBytes bound on recorded results since a checkpoint
 * @param spillDirectory where checkpoints are written; empty for nowhere
 */
record RabitSettings(
        boolean bootstrap, long timeoutNs, int resultCopies, int localCopies, long logBytes, String spillDirectory) {
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
                options.rabitSpillDirectory());
    }
}
