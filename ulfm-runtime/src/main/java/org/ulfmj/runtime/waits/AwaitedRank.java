package org.ulfmj.runtime.waits;

/**
 * A member that a rank waits for.
 *
 * @param rank its rank on the communicator of the wait
 * @param slot its rank in COMM_WORLD
 */
public record AwaitedRank(int rank, int slot) {}
