package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;

/** Something that is measured once in each launch. */
interface Measurement {
    /** Group and number of ranks, for a reader. */
    String title();

    /** What it measures, by the names that {@code --only} takes. */
    List<String> names();

    List<Result> run(int launch) throws IOException, InterruptedException;
}
