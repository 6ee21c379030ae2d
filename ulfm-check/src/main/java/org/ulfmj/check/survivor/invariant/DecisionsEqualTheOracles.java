package org.ulfmj.check.survivor.invariant;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * Where no process fails, an agreement decides the same as the {@link EarlyTerminatingOracle} on the same calls.
 * Nothing else has an influence: no revocation of the communicator before, during or after the agreement, no
 * overlapping call, no delay. Decisions that let their rank leave need not be equal, and are not compared.
 */
public record DecisionsEqualTheOracles(Simulation simulation, List<SurvivorRank> ranks, Journal journal)
        implements Invariant {
    /** The event's name in the coverage line. */
    public static final String REVOKED = "an agreement on a revoked communicator";

    /** The value that the oracle agrees on. */
    private record Estimate(SortedMap<Kind, Integer> kinds, SortedMap<Kind, Integer> flags) {
        Estimate and(Estimate other) {
            SortedMap<Kind, Integer> lowest = new TreeMap<>(kinds);
            other.kinds.forEach((kind, rank) -> lowest.merge(kind, rank, Math::min));
            SortedMap<Kind, Integer> all = new TreeMap<>(flags);
            other.flags.forEach((kind, flag) -> all.merge(kind, flag, (one, two) -> one & two));
            return new Estimate(lowest, all);
        }
    }

    @Override
    public void atEnd() {
        for (SurvivorRank rank : ranks) {
            if (!(rank.isRunning() || rank.hasLeft())
                    || !rank.failures().failedInOrder().isEmpty()) {
                return;
            }
        }
        for (Journal.Agreement agreement : journal.all()) {
            if (agreement.entries().size() == agreement.members().size()
                    && agreement.decisions().size() == agreement.members().size()) {
                compare(agreement);
            }
        }
    }

    private void compare(Journal.Agreement agreement) {
        SortedMap<Integer, Estimate> inputs = new TreeMap<>();
        agreement.entries().forEach((slot, entry) -> {
            Contribution mine = entry.contribution();
            SortedMap<Kind, Integer> kinds = new TreeMap<>();
            kinds.put(mine.kind(), agreement.members().rank(slot));
            SortedMap<Kind, Integer> flags = new TreeMap<>();
            flags.put(mine.kind(), mine.flag());
            inputs.put(slot, new Estimate(kinds, flags));
        });
        var expected = new EarlyTerminatingOracle<>(Estimate::and).decide(inputs, List.of());
        agreement.decisions().forEach((slot, decision) -> {
            Estimate oracle = expected.get(slot);
            boolean isEqual = Journal.isFarewell(decision)
                    || decision.kinds().equals(oracle.kinds())
                            && decision.flags().equals(oracle.flags())
                            && decision.failed().isEmpty()
                            && !decision.failureUnacknowledged();
            if (!isEqual) {
                throw new Violation(
                        name() + ": " + agreement + " at " + slot + " decided " + decision + ", the oracle " + oracle);
            }
        });
        if (journal.revokedByCall().containsKey(agreement.communicator())) {
            simulation.cover(REVOKED);
        }
    }
}
