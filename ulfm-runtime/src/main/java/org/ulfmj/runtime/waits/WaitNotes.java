package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.message.MessageKey;

/** Collects what one wait needs. The number is limited: needs beyond the limit are only counted. */
public final class WaitNotes {
    private final List<Need> needs = new ArrayList<>();
    private int more;
    private boolean isAny;

    /** Notes that the wait ends when the first of its needs is met, and not only when all are. */
    public void firstIsEnough() {
        isAny = true;
    }

    /** Notes that the wait needs a message from or to the given member; with the wildcard, from any member. */
    public void message(WaitScope communicator, String action, String detail, int rank) {
        if (rank == MessageKey.ANY_SOURCE) {
            add(new Need(
                    action, detail, communicator.label(), communicator.id(), communicator.size(), -1, true, List.of()));
        } else {
            add(need(communicator, action, detail, -1, List.of(peer(communicator, rank))));
        }
    }

    /** Notes that the wait needs these ranks for a step of a collective call; of many ranks only some are noted. */
    public void collective(WaitScope communicator, String action, long number, List<Integer> ranks) {
        List<AwaitedRank> peers = new ArrayList<>();
        for (int rank : ranks) {
            AwaitedRank peer = peer(communicator, rank);
            if (peers.size() < Need.MOST_PEERS && !peers.contains(peer)) {
                peers.add(peer);
            }
        }
        add(need(communicator, action, "", number, peers));
    }

    /** Notes that the wait needs the contributions of these members to an agreement. */
    public void agreement(WaitScope communicator, String action, long number, SlotSet missing) {
        List<AwaitedRank> peers = new ArrayList<>();
        for (int slot : missing.toArray()) {
            if (peers.size() < Need.MOST_PEERS) {
                peers.add(new AwaitedRank(communicator.rankOfSlot(slot), slot));
            }
        }
        add(need(communicator, action, "agreement " + number, -1, peers));
    }

    /** Notes that the wait needs new processes in place of the failed members that have these slots. */
    public void replacements(WaitScope communicator, SlotSet failed) {
        StringBuilder detail = new StringBuilder("for a new process in the place of rank");
        String separator = " ";
        for (int slot : failed.toArray()) {
            detail.append(separator).append(communicator.rankOfSlot(slot));
            separator = ", ";
        }
        add(need(communicator, "replace", detail.toString(), -1, List.of()));
    }

    /**
     * Notes that the wait needs something that {@code action} says in words; the need has no communicator and no peers.
     */
    public void other(String action) {
        add(new Need(action, "", "", 0, 0, -1, false, List.of()));
    }

    public Wait toWait(String thread, long forNs, String call, String site) {
        return new Wait(thread, forNs, call, site, isAny, needs, more);
    }

    private void add(Need need) {
        if (needs.contains(need)) {
            return;
        }
        if (needs.size() < Wait.MOST_NEEDS) {
            needs.add(need);
        } else {
            more++;
        }
    }

    private static Need need(
            WaitScope communicator, String action, String detail, long number, List<AwaitedRank> peers) {
        return new Need(
                action, detail, communicator.label(), communicator.id(), communicator.size(), number, false, peers);
    }

    private static AwaitedRank peer(WaitScope communicator, int rank) {
        return new AwaitedRank(rank, communicator.slotOf(rank));
    }
}
