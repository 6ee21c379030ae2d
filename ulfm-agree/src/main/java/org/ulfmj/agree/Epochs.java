package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.consensus.Electorate;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.SlotSet;

/**
 * The membership epochs that are in use at this rank: the one in force, and those before it that still have
 * communicators.
 *
 * <p>Part of {@link Worlds}. Not thread-safe.
 */
final class Epochs {
    private final Survivor rank;
    private final Losses losses;
    private final Goodbyes goodbyes;
    private final Worlds worlds;
    private final boolean needsMajority;

    /**
     * The epochs by their numbers. Each {@link Epoch} is what the communicators that were registered in it see of this
     * rank.
     */
    private final SortedMap<Long, Epoch> byNumber = new TreeMap<>();

    private Epoch inForce;

    Epochs(Survivor rank, Losses losses, Goodbyes goodbyes, Worlds worlds, boolean needsMajority) {
        this.rank = rank;
        this.losses = losses;
        this.goodbyes = goodbyes;
        this.worlds = worlds;
        this.needsMajority = needsMajority;
    }

    /**
     * Begins an epoch, which is in force from now on.
     *
     * @param joined the slots that the epoch before did not have
     */
    void begin(Membership members, SlotSet joined) {
        inForce = make(members, joined);
    }

    Epoch inForce() {
        return inForce;
    }

    /** The members of the epoch in force. */
    Membership membership() {
        return inForce.membership();
    }

    /** The epoch with these members, which is or was in force here. */
    Epoch of(Membership members) {
        Epoch known = byNumber.get(members.epoch());
        if (known != null) {
            return known;
        }
        if (members.epoch() >= membership().epoch()) {
            throw new IllegalStateException(members + " was never in force here, but " + membership() + " is");
        }
        // The communicator from which this one is made is freed already, and its epoch was dropped with it. So the
        // epoch is made again.
        return make(members, SlotSet.EMPTY);
    }

    private Epoch make(Membership members, SlotSet joined) {
        Electorate electorate = new Electorate(needsMajority, members.slots(), joined);
        Epoch made = new Epoch(rank, losses, goodbyes, worlds, members, electorate);
        byNumber.put(members.epoch(), made);
        return made;
    }

    int size() {
        return byNumber.size();
    }

    /** Drops the epochs that are not in force and have no communicator any more. */
    void dropUnused() {
        for (Epoch each : new ArrayList<>(byNumber.values())) {
            if (each != inForce && !each.isInUse()) {
                byNumber.remove(each.membership().epoch());
            }
        }
    }

    /** The memberships of the epochs that are kept here. */
    List<Membership> memberships() {
        List<Membership> memberships = new ArrayList<>();
        for (Epoch each : byNumber.values()) {
            memberships.add(each.membership());
        }
        return memberships;
    }
}
