package org.ulfmj.agree;

import java.util.SortedMap;
import org.ulfmj.protocol.SlotSet;

/**
 * What an agreement decided; equal at all who are not later reported failed.
 *
 * @param kinds every kind that took part, with the lowest rank that called it
 * @param flags the AND of the flags, by kind
 * @param failureUnacknowledged whether some member that failed was not acknowledged by every participant
 * @param failed slots of the members that are held for failed by this agreement
 * @param collectFrom first agreement of this communicator that nobody can ask for any more
 * @param collectTo last such agreement; below {@code collectFrom} if there is none
 */
public record Decision(
        SortedMap<Kind, Integer> kinds,
        SortedMap<Kind, Integer> flags,
        boolean failureUnacknowledged,
        SlotSet failed,
        long collectFrom,
        long collectTo) {

    /** Whether all participants had made the same call. */
    public boolean isOfOneKind() {
        return kinds.size() == 1;
    }
}
