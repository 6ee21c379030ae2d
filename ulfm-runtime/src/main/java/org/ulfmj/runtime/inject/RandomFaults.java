package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws the faults of one {@code random} rule. No fault of a rank hits a rank that the rule keeps; of the other ranks,
 * no more end than the rule allows, and none ends twice. A fault of a link may be between any two ranks.
 */
final class RandomFaults {
    private static final long SHORTEST_NS = 50_000_000;

    private final InjectRule rule;
    private final RandomTerms terms;
    private final int size;
    private final SplittableRandom random;
    /** The ranks that drawn faults of ranks may still hit. */
    private final List<Integer> left = new ArrayList<>();

    private int ends;

    RandomFaults(InjectRule rule, int size, SplittableRandom random) {
        this.rule = rule;
        this.terms = rule.random();
        this.size = size;
        this.random = random;
        for (int rank = 0; rank < size; rank++) {
            if (!terms.keep().contains(rank)) {
                left.add(rank);
            }
        }
    }

    /**
     * Draws the faults, those at times in the order of their times, and adds them behind those that are in the list,
     * numbered on.
     */
    void addTo(List<PlannedFault> faults) {
        for (Moment moment : moments()) {
            FaultAction action = terms.of().get(random.nextInt(terms.of().size()));
            PlannedFault fault = fault(faults.size() + 1, action, moment);
            if (fault != null) {
                faults.add(fault);
            }
        }
    }

    private List<Moment> moments() {
        List<Moment> moments = new ArrayList<>();
        if (rule.moment() instanceof Moment.AtRandomOperation calls) {
            for (int i = 0; i < terms.max(); i++) {
                long count = 1 + random.nextLong(calls.within());
                moments.add(new Moment.AtOperation(calls.operation(), count, calls.part()));
            }
            return moments;
        }
        long beginNs = ((Moment.AtTime) rule.moment()).afterStartNs();
        List<Long> times = new ArrayList<>();
        if (terms.everyNs() > 0) {
            // A gap between two faults is at most twice the mean gap: gaps are drawn uniformly.
            for (long ns = gap(); ns < rule.durationNs(); ns += gap()) {
                times.add(ns);
            }
        } else {
            for (int i = 0; i < terms.max(); i++) {
                times.add(random.nextLong(rule.durationNs()));
            }
            times.sort(null);
        }
        for (long ns : times) {
            long wholeNs = (beginNs + ns) / InjectPlan.DRAWN_UNIT_NS * InjectPlan.DRAWN_UNIT_NS;
            moments.add(new Moment.AtTime(wholeNs));
        }
        return moments;
    }

    private long gap() {
        return 1 + random.nextLong(2 * terms.everyNs());
    }

    /**
     * Draws the other properties of a fault. Returns null if there is no rank left that it may hit, no more rank may
     * end, or, for a fault of links, there is one rank only or the moment is a call.
     */
    private PlannedFault fault(int number, FaultAction action, Moment moment) {
        long durationNs = action.isEnd() || action == FaultAction.RESET ? 0 : duration();
        FaultTerms strength = action == FaultAction.SLOW || action == FaultAction.DELAY
                ? FaultTerms.NONE.lasting(1_000_000L * (1 + random.nextInt(20)), 0)
                : FaultTerms.NONE;
        if (!action.isOfRank()) {
            if (!(moment instanceof Moment.AtTime) || size < 2) {
                return null;
            }
            int from = random.nextInt(size - 1);
            int to = from + 1 + random.nextInt(size - 1 - from);
            LinkChoice link = new LinkChoice(from, to, true);
            return new PlannedFault(number, action, PlannedFault.NO_RANK, 0, link, null, strength, moment, durationNs);
        }
        if (left.isEmpty() || action.isEnd() && ends == terms.max()) {
            return null;
        }
        int index = random.nextInt(left.size());
        int rank = left.get(index);
        if (action.isEnd()) {
            left.remove(index);
            ends++;
        }
        return new PlannedFault(number, action, rank, 0, null, null, strength, moment, durationNs);
    }

    private long duration() {
        long moreNs = Math.max(0, terms.longestNs() - SHORTEST_NS);
        long ns = SHORTEST_NS + (moreNs == 0 ? 0 : random.nextLong(moreNs));
        return Math.max(InjectPlan.DRAWN_UNIT_NS, ns / InjectPlan.DRAWN_UNIT_NS * InjectPlan.DRAWN_UNIT_NS);
    }
}
