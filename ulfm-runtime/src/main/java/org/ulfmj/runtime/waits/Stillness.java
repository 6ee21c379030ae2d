package org.ulfmj.runtime.waits;

/**
 * For how long a rank has not called MPI, accurate to some 50 ms.
 *
 * @param quietNs the time since a thread of the rank last entered or left a call, or waited inside one
 * @param idleNs the time since a thread of the rank last entered or left a call: a rank that waits inside a call is
 *     idle too
 * @param worksInBackground whether operations are going on for which no thread of the rank waits
 */
public record Stillness(long quietNs, long idleNs, boolean worksInBackground) {}
