package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.result.Result;

/** A measurement that each launch makes, or the first launch only. */
interface Measurement {
    /** The title for a reader, with the number of ranks. */
    String title();

    /**
     * Names of what is measured, for {@code --list} and for the suggestion where {@code --only} selects nothing. The
     * option does not take all of them.
     */
    List<String> names();

    /** Whether only the first launch makes the measurement. */
    default boolean isOnce() {
        return false;
    }

    List<Result> run(int launch) throws IOException, InterruptedException;
}
