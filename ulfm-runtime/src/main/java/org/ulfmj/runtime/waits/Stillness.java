package org.ulfmj.runtime.waits;

/**
 * For how long a rank has not called MPI, to some 50 ms.
 *
 * @param quietNs since a thread entered or left a call, or waited inside one
 * @param idleNs since a thread entered or left a call: a rank that waits is idle too
 * @param worksInBackground whether operations of the rank go on now that no thread of it waits for
 */
public record Stillness(long quietNs, long idleNs, boolean worksInBackground) {}
