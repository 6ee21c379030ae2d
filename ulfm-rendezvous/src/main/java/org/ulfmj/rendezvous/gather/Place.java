package org.ulfmj.rendezvous.gather;

/**
 * A process in a {@link Gathering}.
 *
 * @param nonce drawn anew each time a process joins
 * @param renewals grows when a process that was out of touch makes sure that it is still in
 */
public record Place(long nonce, Status status, int renewals) {
    /** The part of a process in the present round. */
    public enum Status {
        /** Waits while no round is frozen or final, or is in the frozen round and has not confirmed. */
        CANDIDATE,
        CONFIRMED,
        /** Was a member of the final round, and has left it or is gone. */
        LEFT,
        /**
         * Joined too late for this round, or has no place in it because the round has its largest number of members.
         */
        WAITING
    }

    Place with(Status other) {
        return new Place(nonce, other, renewals);
    }
}
