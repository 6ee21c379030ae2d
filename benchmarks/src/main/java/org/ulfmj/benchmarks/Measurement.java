package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.result.Result;

/** A measurement that each launch makes, or the first launch only. */
interface Measurement {
    /** Group and number of ranks, as a reader sees them. */
    String title();

    /** The names by which {@code --only} selects this measurement. */
    List<String> names();

    /** Whether one launch is enough, as where each figure starts new jobs. */
    default boolean isOnce() {
        return false;
    }

    List<Result> run(int launch) throws IOException, InterruptedException;
}
