package org.ulfmj.benchmarks;

import java.util.List;
import org.ulfmj.benchmarks.job.JobSpec;

/**
 * Cells that the same jobs are asked for, all jobs being resident.
 *
 * @param name what is compared: {@code shm}, {@code tcp}, {@code heartbeat}, {@code ft}, {@code agree}, {@code hog}
 * @param together the cells are compared with each other, so their rounds alternate; otherwise one follows the other
 * @param isOnce measured in the first launch alone
 */
record CellGroup(String name, int ranks, List<JobSpec> jobs, List<Cell> cells, boolean together, boolean isOnce) {
    /** The cells whose rounds alternate, one list after the other. */
    List<List<Cell>> steps() {
        return together ? List.of(cells) : cells.stream().map(List::of).toList();
    }
}
