package org.ulfmj.check.rendezvous.elected;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;

/**
 * Is told which messages the coordinators of a job send and receive, and checks rules V5 and V6 over changes of the
 * coordinator.
 */
final class Witness {
    private final SortedMap<Integer, List<MemberRecord>> tables = new TreeMap<>();

    /** The rounds that each process has confirmed. */
    private final SortedMap<Integer, SortedSet<Integer>> confirmed = new TreeMap<>();

    /** A coordinator has received a message of a process. */
    void takes(int from, RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Confirm confirm) {
            confirmed.computeIfAbsent(from, node -> new TreeSet<>()).add(confirm.round());
        }
    }

    /** A coordinator says something to a process. */
    void says(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Table table) {
            requireOneTable(table.round(), table.members());
        } else if (message instanceof RendezvousMessage.Final world && world.epoch() == 0) {
            requireOneTable(world.round(), world.members());
            requireConfirmed(world);
        }
    }

    /** V5: checks that each table of a round equals the first one of that round, even if the coordinator changes. */
    private void requireOneTable(int round, List<MemberRecord> members) {
        List<MemberRecord> first = tables.putIfAbsent(round, members);
        if (first != null && !first.equals(members)) {
            throw new Violation("one table a round: round " + round + " was " + first + ", and now is " + members);
        }
    }

    /** V6: the barrier. */
    private void requireConfirmed(RendezvousMessage.Final world) {
        for (MemberRecord member : world.members()) {
            SortedSet<Integer> rounds = confirmed.get((int) member.nonce());
            if (rounds == null || !rounds.contains(world.round())) {
                throw new Violation("all have confirmed: " + member.id() + " runs in round " + world.round()
                        + ", and confirmed " + rounds);
            }
        }
    }
}
