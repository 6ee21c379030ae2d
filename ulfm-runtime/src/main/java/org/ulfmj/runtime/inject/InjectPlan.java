package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** All rules that {@code --inject} gave, in their order. Immutable. */
public final class InjectPlan {
    /** The unit in which times are drawn, a millisecond: a repeated run does not hit a finer moment again anyway. */
    private static final long DRAWN_UNIT_NS = 1_000_000;

    private final List<InjectRule> rules;
    private final int size;

    private InjectPlan(List<InjectRule> rules, int size) {
        this.rules = rules;
        this.size = size;
    }

    /** The plan by which no rank is killed. */
    public static InjectPlan none() {
        return new InjectPlan(List.of(), 1);
    }

    /**
     * @param texts values of {@code --inject}, each one or more rules separated by {@code ;}
     * @param size processes in the job
     * @throws IllegalArgumentException saying which rule cannot be understood, and why
     */
    public static InjectPlan parse(List<String> texts, int size) {
        List<InjectRule> rules = new ArrayList<>();
        for (String text : texts) {
            for (String rule : text.split(";")) {
                if (!rule.isBlank()) {
                    rules.add(new InjectParser("--inject", rule.trim(), size).rule());
                }
            }
        }
        InjectPlan plan = new InjectPlan(List.copyOf(rules), size);
        plan.checkEnoughToDrawFrom();
        return plan;
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /** Whether some rule leaves something to be drawn, so that the plan depends on a seed. */
    public boolean isRandom() {
        for (InjectRule rule : rules) {
            if (rule.drawn() > 0
                    || rule.moment() instanceof Moment.AtRandomTime
                    || rule.moment() instanceof Moment.AtRandomOperation
                    || rule.moment() instanceof Moment.AtRandomByte) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the plan with ranks and times drawn: the same seed gives the same kills. Ranks that a rule names, or an
     * earlier one drew, are not drawn again.
     */
    public List<Kill> draw(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Integer> free = freeRanks();
        List<Kill> kills = new ArrayList<>();
        for (InjectRule rule : rules) {
            SortedSet<Integer> targets = new TreeSet<>(rule.ranks());
            for (int i = 0; i < rule.drawn(); i++) {
                targets.add(free.remove(random.nextInt(free.size())));
            }
            for (int rank : targets) {
                kills.add(new Kill(kills.size() + 1, rank, rule.incarnation(), drawn(rule.moment(), random)));
            }
        }
        return kills;
    }

    private static Moment drawn(Moment moment, SplittableRandom random) {
        if (moment instanceof Moment.AtRandomOperation at) {
            return new Moment.AtOperation(at.operation(), 1 + random.nextLong(at.within()));
        }
        if (moment instanceof Moment.AtRandomByte at) {
            return new Moment.AtByte(1 + random.nextLong(at.within()));
        }
        return moment instanceof Moment.AtRandomTime at
                ? new Moment.AtTime(random.nextLong(at.withinNs() / DRAWN_UNIT_NS + 1) * DRAWN_UNIT_NS)
                : moment;
    }

    private List<Integer> freeRanks() {
        List<Integer> free = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            free.add(rank);
        }
        for (InjectRule rule : rules) {
            free.removeAll(rule.ranks());
        }
        return free;
    }

    private void checkEnoughToDrawFrom() {
        int wanted = 0;
        for (InjectRule rule : rules) {
            wanted += rule.drawn();
        }
        int free = freeRanks().size();
        if (wanted > free) {
            throw new IllegalArgumentException("--inject: any(k) asks for " + wanted + " ranks, but only " + free
                    + " of " + size + " are not named by a rule already");
        }
    }
}
