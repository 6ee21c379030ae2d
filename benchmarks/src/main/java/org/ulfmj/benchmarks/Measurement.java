package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.result.Result;

/** A measurement that each launch makes, or the first launch only. */
interface Measurement {
    /** The title for a reader: group and number of ranks. */
    String title();

    /** The names by which {@code --only} selects this measurement. */
    List<String> names();

    /** Whether only the first launch makes the measurement, as where each figure starts new jobs. */
    default boolean isOnce() {
        return false;
    }

    List<Result> run(int launch) throws IOException, InterruptedException;
}
