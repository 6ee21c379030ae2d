package org.ulfmj.rendezvous.client;

/**
 * A time in which nothing passes from a launcher to a process, or in the other direction, or in both: a fault for
 * tests. Either direction is cut at the process: what the launcher sends waits unread in the connection, and what the
 * process sends waits in the process, until the cut ends.
 *
 * @param beginNs when the cut begins, by the clock of {@link RendezvousClient#poll}
 * @param endNs when it ends, by the same clock; {@link Long#MAX_VALUE} for never
 * @param isUnheard whether nothing of the launcher arrives
 * @param isUnreached whether nothing arrives at the launcher
 */
public record LineCut(long beginNs, long endNs, boolean isUnheard, boolean isUnreached) {
    boolean isOn(long nowNs) {
        return nowNs - beginNs >= 0 && (endNs == Long.MAX_VALUE || nowNs - endNs < 0);
    }

    /** When the cut begins or ends next; {@link Long#MAX_VALUE} if it does neither any more. */
    long nextNs(long nowNs) {
        return nowNs - beginNs < 0 ? beginNs : isOn(nowNs) ? endNs : Long.MAX_VALUE;
    }
}
