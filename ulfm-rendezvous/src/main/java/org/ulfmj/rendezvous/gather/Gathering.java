package org.ulfmj.rendezvous.gather;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.ulfmj.rendezvous.gather.Place.Status;

/**
 * The whole state of a rendezvous, as one value. A transition returns the next state, or the same object if nothing
 * changes; so each transition but {@link #renew} may be asked for any number of times.
 *
 * <pre>
 *   JOINABLE --min have joined--> LAST_CALL --time over, or max--> FROZEN(round + 1) --all confirmed--> FINAL
 *      ^  ^--- fewer than min ------'                                 |                                   |
 *      '-------------------------------- a member is gone -----------'---- every member has left, is gone -'
 * </pre>
 *
 * <p>Being closed is not a phase: once the rendezvous is closed, no round becomes frozen or final any more, but a round
 * that is final stays so for its members.
 *
 * @param call the number of the last call, which tells it from earlier ones
 * @param places in the order in which the processes joined; the ranks of members follow this order
 */
public record Gathering(Terms terms, boolean isClosed, Phase phase, long round, long call, List<Place> places) {
    /** Where the rendezvous stands. */
    public enum Phase {
        JOINABLE,
        LAST_CALL,
        FROZEN,
        FINAL
    }

    public Gathering {
        places = List.copyOf(places);
    }

    /** A rendezvous that no process has joined. */
    public static Gathering empty(Terms terms) {
        return new Gathering(terms, false, Phase.JOINABLE, 0, 0, List.of());
    }

    /** Whether a process takes part, as a member, a candidate or a process that waits. */
    public boolean has(long nonce) {
        return places.stream().anyMatch(place -> place.nonce() == nonce && place.status() != Status.LEFT);
    }

    /** The place of a process; null if it has none. */
    public Place placeOf(long nonce) {
        return places.stream()
                .filter(place -> place.nonce() == nonce)
                .findFirst()
                .orElse(null);
    }

    /**
     * Members of the frozen or final round, in a final one also those that have left or are gone; the index in this
     * list is the rank. Empty while no round is frozen or final.
     */
    public List<Place> members() {
        return phase.compareTo(Phase.FROZEN) < 0 ? List.of() : those(place -> place.status() != Status.WAITING);
    }

    /** How many processes wait, while a round is frozen or final, for a later round; else 0. */
    public int waiting() {
        return those(place -> place.status() == Status.WAITING).size();
    }

    /** Whether the round is final and this process is one of its members, and has not left it. */
    public boolean isFinalFor(long nonce) {
        Place place = placeOf(nonce);
        return phase == Phase.FINAL && place != null && place.status() == Status.CONFIRMED;
    }

    /** Takes the terms of a new process if there is no other process. */
    public Gathering on(Terms other) {
        return terms.equals(other) || !places.isEmpty()
                ? this
                : new Gathering(other, isClosed, phase, round, call, places);
    }

    /**
     * Lets a process join the next round, unless the rendezvous is closed; while a round is frozen or final the process
     * waits.
     */
    public Gathering join(long nonce) {
        if (isClosed || placeOf(nonce) != null) {
            return this;
        }
        List<Place> next = new ArrayList<>(places);
        next.add(new Place(nonce, Status.WAITING, 0));
        return with(next).settled();
    }

    /** A process has left, or is gone. */
    public Gathering leave(long nonce) {
        Place gone = placeOf(nonce);
        if (gone == null || gone.status() == Status.LEFT) {
            return this;
        }
        if (phase == Phase.FINAL && gone.status() != Status.WAITING) {
            return replaced(gone, gone.with(Status.LEFT)).settled();
        }
        Gathering rest = with(those(place -> place.nonce() != nonce));
        return phase == Phase.FROZEN && gone.status() != Status.WAITING
                ? rest.in(Phase.JOINABLE).settled()
                : rest.settled();
    }

    /**
     * Freezes the round if this last call is still the present one, because its time has passed; not once the
     * rendezvous is closed.
     */
    public Gathering lastCallOver(long which) {
        return phase == Phase.LAST_CALL && call == which && !isClosed ? frozen() : this;
    }

    /**
     * Lets a member of the frozen round confirm that it knows of the round. Once all have confirmed, the round is
     * final.
     */
    public Gathering confirm(long nonce) {
        Place member = placeOf(nonce);
        if (isClosed || phase != Phase.FROZEN || member == null || member.status() != Status.CANDIDATE) {
            return this;
        }
        Gathering next = replaced(member, member.with(Status.CONFIRMED));
        boolean isOpen = next.places.stream().anyMatch(place -> place.status() == Status.CANDIDATE);
        return isOpen ? next : next.in(Phase.FINAL);
    }

    /**
     * Changes the value of the state and nothing else, so that a change which another process has planned for the
     * present value fails.
     */
    public Gathering renew(long nonce) {
        Place place = placeOf(nonce);
        return place == null ? this : replaced(place, new Place(nonce, place.status(), place.renewals() + 1));
    }

    /** No further round begins. */
    public Gathering close() {
        return isClosed ? this : new Gathering(terms, true, phase, round, call, places);
    }

    private Gathering settled() {
        if (phase == Phase.FINAL) {
            boolean isRunning = places.stream().anyMatch(place -> place.status() == Status.CONFIRMED);
            return isRunning
                    ? this
                    : with(those(place -> place.status() != Status.LEFT))
                            .in(Phase.JOINABLE)
                            .settled();
        }
        if (phase == Phase.FROZEN) {
            return this;
        }
        Gathering next =
                with(places.stream().map(place -> place.with(Status.CANDIDATE)).toList());
        int count = places.size();
        if (count < terms.min()) {
            return next.in(Phase.JOINABLE);
        }
        if (count >= terms.max() && !isClosed) {
            return next.frozen();
        }
        return phase == Phase.LAST_CALL
                ? next
                : new Gathering(terms, isClosed, Phase.LAST_CALL, round, call + 1, next.places);
    }

    private Gathering frozen() {
        List<Place> next = new ArrayList<>();
        for (Place place : places) {
            next.add(place.with(next.size() < terms.max() ? Status.CANDIDATE : Status.WAITING));
        }
        return new Gathering(terms, isClosed, Phase.FROZEN, round + 1, call, next);
    }

    private List<Place> those(Predicate<Place> which) {
        return places.stream().filter(which).toList();
    }

    private Gathering replaced(Place old, Place by) {
        return with(places.stream().map(place -> place.equals(old) ? by : place).toList());
    }

    private Gathering with(List<Place> next) {
        return new Gathering(terms, isClosed, phase, round, call, next);
    }

    private Gathering in(Phase next) {
        return new Gathering(terms, isClosed, next, round, call, places);
    }
}
