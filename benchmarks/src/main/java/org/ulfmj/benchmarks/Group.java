package org.ulfmj.benchmarks;

import java.util.List;
import org.ulfmj.benchmarks.job.JobSpec;

/**
 * Cells that the same jobs are asked for, one after the other, all jobs being resident.
 *
 * @param name what is compared: {@code shm}, {@code tcp}, {@code heartbeat}, {@code ft}
 */
record Group(String name, int ranks, List<JobSpec> jobs, List<Cell> cells) {}
