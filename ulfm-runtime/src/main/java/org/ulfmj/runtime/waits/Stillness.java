package org.ulfmj.runtime.waits;

/**
 * For how long, at least, a rank has not called MPI. A time of more than a second in which its whole process was
 * stopped does not count.
 *
 * @param quietNs for how long no thread of the rank has entered or left a call, or waited inside one
 * @param idleNs for how long no thread of the rank has entered or left a call: a rank that waits inside a call is idle
 *     too
 * @param worksInBackground whether operations go on even if no thread of the rank is in a call
 */
public record Stillness(long quietNs, long idleNs, boolean worksInBackground) {}
