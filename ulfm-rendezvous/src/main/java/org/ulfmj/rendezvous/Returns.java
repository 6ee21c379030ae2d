package org.ulfmj.rendezvous;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which processes still have to find a coordinator that goes on from the state of another one, and whether they can. A
 * process that joined the other coordinator dials until it finds this one. Empty in a coordinator that is the first of
 * its job. Pure.
 */
final class Returns {
    private final Roster roster;

    /** The processes that joined another coordinator, and have not found this one yet, by their nonces. */
    private final SortedSet<Long> missing = new TreeSet<>();

    /** How long a process may take to find this coordinator. */
    private long findNs;

    /** Whether no process can find this coordinator for now. */
    private boolean isHidden;

    Returns(Roster roster) {
        this.roster = roster;
    }

    /**
     * Begins: all processes that have joined, have not ended and were not refused have to find this coordinator, within
     * this time once they can find it. That includes processes that wait, because they may be members of the next
     * round.
     */
    void begin(long newFindNs) {
        findNs = newFindNs;
        for (Seat seat : roster.all()) {
            if (seat.isHere()) {
                missing.add(seat.nonce());
            }
        }
    }

    void hide() {
        isHidden = true;
    }

    void show() {
        isHidden = false;
    }

    /** Notes that a process has found this coordinator, and returns whether it was missing. */
    boolean found(long nonce) {
        return missing.remove(nonce);
    }

    /** Whether a member that is to confirm has not found this coordinator yet. */
    boolean isAnyToConfirm() {
        for (Seat seat : roster.holders()) {
            if (!seat.confirmed && missing.contains(seat.nonce())) {
                return true;
            }
        }
        return false;
    }

    /** V8: whether no process can find this coordinator, and a member that is to confirm has not found it yet. */
    boolean isAnyShutOut() {
        return isHidden && isAnyToConfirm();
    }

    /** V8: how much longer than usual members may take to confirm. */
    long extraNs() {
        return isAnyToConfirm() ? findNs : 0;
    }

    /**
     * J2: in a world that runs, lets each missing member be silent for at least the time within which it has to find
     * this coordinator.
     */
    void awaitIn(Silences silences) {
        for (Seat seat : roster.holders()) {
            if (missing.contains(seat.nonce())) {
                silences.awaitReturn(seat, findNs);
            }
        }
    }

    /** J2: as {@link #awaitIn}, for all processes that are judged in a world that ran before this coordinator began. */
    void resumeIn(Silences silences) {
        silences.resume(findNs);
    }
}
