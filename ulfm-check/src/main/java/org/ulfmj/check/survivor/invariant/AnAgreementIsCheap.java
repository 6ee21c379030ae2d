package org.ulfmj.check.survivor.invariant;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.Watch;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Violation;

/**
 * Where nothing fails, an agreement, and with it a shrink, costs 2(n − 1) messages: one up and one down along each edge
 * of the tree. The agreement that lets the ranks leave is not counted: a rank that leaves may lose its messages, and is
 * asked in vain.
 */
final class AnAgreementIsCheap implements Watch {
    private final List<SurvivorRank> ranks;
    private final Journal journal;
    private final SortedMap<Long, SortedMap<Long, Integer>> sent = new TreeMap<>();

    AnAgreementIsCheap(List<SurvivorRank> ranks, Journal journal) {
        this.ranks = ranks;
        this.journal = journal;
    }

    @Override
    public void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {
        if (message instanceof ControlMessage.OfAgreement about && !(message instanceof ControlMessage.Goodbye)) {
            sent.computeIfAbsent(about.communicator(), id -> new TreeMap<>()).merge(about.sequence(), 1, Integer::sum);
        }
    }

    @Override
    public void atEnd() {
        for (SurvivorRank rank : ranks) {
            if (!rank.failures().failedInOrder().isEmpty() || !(rank.isRunning() || rank.hasLeft())) {
                return;
            }
        }
        for (Journal.Agreement agreement : journal.all()) {
            if (agreement.decisions().values().stream().anyMatch(Journal::isFarewell)) {
                continue;
            }
            int messages =
                    sent.getOrDefault(agreement.communicator(), new TreeMap<>()).getOrDefault(agreement.sequence(), 0);
            int expected = 2 * (agreement.members().size() - 1);
            if (agreement.decisions().size() == agreement.members().size() && messages != expected) {
                throw new Violation(name() + ": " + agreement + " took " + messages + " messages without any failure,"
                        + " not " + expected);
            }
        }
    }
}
