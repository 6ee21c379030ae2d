package org.ulfmj.benchmarks;

import java.util.List;
import org.ulfmj.benchmarks.job.JobSpec;

/**
 * Cells that are measured with the same jobs. The jobs are started together, and asked for rounds one at a time.
 *
 * @param name the comparison: {@code shm}, {@code tcp}, {@code heartbeat}, {@code ft}, {@code agree}, {@code started},
 *     {@code hog}
 * @param together whether the cells are compared with each other, so their rounds alternate; otherwise one follows the
 *     other
 * @param isOnce whether only the first launch measures the group
 */
record CellGroup(String name, int ranks, List<JobSpec> jobs, List<Cell> cells, boolean together, boolean isOnce) {
    /** The cells in the order in which they are measured. The rounds of the cells of one list alternate. */
    List<List<Cell>> steps() {
        return together ? List.of(cells) : cells.stream().map(List::of).toList();
    }
}
