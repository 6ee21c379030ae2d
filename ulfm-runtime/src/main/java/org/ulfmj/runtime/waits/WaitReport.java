package org.ulfmj.runtime.waits;

import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * The report of one rank on itself: what its threads wait for, and how many messages have arrived that no call has
 * taken.
 *
 * @param main what the thread that called Init is doing
 * @param waits at most {@value #MOST_WAITS}, that of the main thread first
 * @param moreWaits how many further waits are not in the list
 * @param held the number of messages and protocol frames for communicators that do not exist at the rank yet
 * @param unreceived the number of messages that have arrived and that neither a receive nor a matched probe has taken
 * @param failed slots that the rank has marked failed, ascending; at most {@value #MOST_FAILED}
 * @param stillness for how long the rank has not called MPI
 */
public record WaitReport(
        ProcessId process,
        Activity main,
        List<Wait> waits,
        int moreWaits,
        int held,
        int unreceived,
        List<Integer> failed,
        Stillness stillness) {
    public static final int MOST_WAITS = 8;
    public static final int MOST_FAILED = 64;

    public WaitReport {
        waits = List.copyOf(waits);
        failed = List.copyOf(failed);
    }
}
