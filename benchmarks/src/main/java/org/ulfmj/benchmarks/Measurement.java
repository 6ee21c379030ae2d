package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.result.Result;

/** A measurement that each launch makes, or the first launch only. */
interface Measurement {
    /** The title for a reader: group and number of ranks. */
    String title();

    /** Names by which {@code --only} may select this measurement or a cell of it. */
    List<String> names();

    /** Whether only the first launch makes the measurement. */
    default boolean isOnce() {
        return false;
    }

    List<Result> run(int launch) throws IOException, InterruptedException;
}
