package org.ulfmj.runtime.waits;

import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * What one rank says of itself: what its threads wait for, and how many messages lie there that no call has taken.
 *
 * @param main the thread that called Init
 * @param waits at most {@value #MOST_WAITS}, that of the main thread first
 * @param moreWaits how many more there are
 * @param held messages and protocol frames for communicators that do not exist here yet
 * @param unreceived messages that have arrived and that no receive has asked for
 * @param failed slots that it has marked failed, ascending; at most {@value #MOST_FAILED}
 * @param stillness for how long it has not called MPI
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
