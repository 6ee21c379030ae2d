package org.ulfmj.rendezvous.elect;

import java.util.function.LongSupplier;

/**
 * The office of a coordinator that was elected.
 *
 * @param keeper where its state is stored
 * @param image the state from which it goes on; null if the job begins
 * @param judges whether processes that are silent are ended
 * @param findNs how long a member may take to find this coordinator, as long as it can be found
 *     ({@link ElectionListener#onFindable})
 * @param heldUntilNs until when no other process can have the office, by the clock of {@link System#nanoTime}, as
 *     {@link Election#heldUntilNs} says; any thread may ask. Past that time the coordinator begins no step, until the
 *     time is extended
 */
public record Elected(StateKeeper keeper, byte[] image, boolean judges, long findNs, LongSupplier heldUntilNs) {
    /** Whether no other process can have the office now. */
    public boolean isHeld(long nowNs) {
        long untilNs = heldUntilNs.getAsLong();
        return untilNs != Election.NOT_HELD && nowNs - untilNs < 0;
    }
}
