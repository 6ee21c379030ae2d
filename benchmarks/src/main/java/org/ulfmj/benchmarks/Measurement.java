package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.result.Result;

/** Something that is measured in each launch, or in the first alone. */
interface Measurement {
    /** Group and number of ranks, for a reader. */
    String title();

    /** What it measures, by the names that {@code --only} takes. */
    List<String> names();

    /** Whether one launch says it all, as where each figure starts its own jobs. */
    default boolean isOnce() {
        return false;
    }

    List<Result> run(int launch) throws IOException, InterruptedException;
}
