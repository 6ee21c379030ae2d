package org.ulfmj.testkit.sim.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.sim.SeededRandom;

/**
 * All faults of a simulated world as a user wrote them, rules separated by {@code ;} ({@link FaultRule}). Immutable.
 */
public final class SimFaultPlan {
    private static final long SHORT_NS = 1_000_000;
    private static final long LONG_NS = 10_000_000_000L;
    private static final long FOR_EVER_NS = 7_200_000_000_000L;
    private static final long MOST_CALLS = 256;
    private static final long MOST_FRAMES = 512;

    private final List<FaultRule> rules;
    private final int ranks;

    private SimFaultPlan(List<FaultRule> rules, int ranks) {
        this.rules = rules;
        this.ranks = ranks;
    }

    /** @throws IllegalArgumentException saying which rule cannot be understood, and why */
    public static SimFaultPlan parse(List<String> texts, int ranks) {
        List<FaultRule> rules = new ArrayList<>();
        for (String text : texts) {
            for (String rule : text.split(";")) {
                if (!rule.isBlank()) {
                    rules.add(FaultRule.parse(rule.trim(), ranks));
                }
            }
        }
        SimFaultPlan plan = new SimFaultPlan(List.copyOf(rules), ranks);
        int wanted = 0;
        for (FaultRule rule : rules) {
            wanted += rule.kind() == null ? 0 : rule.target().drawn();
        }
        int free = plan.freeRanks().size();
        if (wanted > free) {
            throw new IllegalArgumentException("faults: any(k) asks for " + wanted + " ranks, but only " + free + " of "
                    + ranks + " are not named by a rule already");
        }
        return plan;
    }

    /**
     * The faults that a seed draws from the plan.
     *
     * @param detectorTimeoutNs pauses and cuts whose duration is drawn are shorter or longer than this
     * @param restarts if not 0, a rule {@code random} may also draw deaths of replacements and of the launcher
     */
    public List<SimFault> draw(SeededRandom chance, long detectorTimeoutNs, int restarts) {
        List<Integer> free = freeRanks();
        List<SimFault> faults = new ArrayList<>();
        for (FaultRule rule : rules) {
            if (rule.kind() == null) {
                drawAnything(rule.deaths(), chance, detectorTimeoutNs, faults);
                drawRestarts(restarts, chance, faults);
                drawSilences(chance, faults);
                continue;
            }
            if (rule.kind() == SimFault.Kind.LAUNCHER) {
                faults.add(SimFault.launcher(drawn(rule.target().moment(), chance)));
                continue;
            }
            SortedSet<Integer> targets = new TreeSet<>(rule.target().ranks());
            for (int i = 0; i < rule.target().drawn(); i++) {
                targets.add(free.remove(chance.below(free.size())));
            }
            for (int rank : targets) {
                faults.add(fault(rule, rank, chance, detectorTimeoutNs));
            }
        }
        return faults;
    }

    private SimFault fault(FaultRule rule, int rank, SeededRandom chance, long timeoutNs) {
        Moment moment = drawn(rule.target().moment(), chance);
        Victim victim = new Victim(rank, rule.target().incarnation());
        int other = rule.other();
        if (rule.hasOther() && (other < 0 || other == rank)) {
            other = (rank + 1 + chance.below(ranks - 1)) % ranks;
        }
        long durationNs = rule.durationNs() > 0 ? rule.durationNs() : chance.anyMagnitude(3 * timeoutNs);
        return switch (rule.kind()) {
            case KILL, VANISH -> SimFault.death(rule.kind(), victim, moment);
            case CRASH -> SimFault.crash(victim, rule.sent().drawnBy(chance));
            case SUSPECT -> SimFault.suspect(rank, other, moment);
            case PAUSE -> SimFault.pause(victim, durationNs, moment);
            case MUTE -> SimFault.mute(victim, moment);
            case CUT -> SimFault.cut(rank, other, durationNs, moment);
            case LAUNCHER -> throw new IllegalStateException("the launcher is no rank");
        };
    }

    private static Moment drawn(Moment moment, SeededRandom chance) {
        if (moment instanceof Moment.AtRandomTime at) {
            return new Moment.AtTime(chance.anyMagnitude(at.withinNs()));
        }
        if (moment instanceof Moment.AtRandomOperation at) {
            return new Moment.AtOperation(at.operation(), chance.anyMagnitude(at.within()), at.part());
        }
        return moment;
    }

    /** Draws deaths, perhaps none, and in some runs also a pause, and a false suspicion or a cut. */
    private void drawAnything(int mostDeaths, SeededRandom chance, long timeoutNs, List<SimFault> faults) {
        List<Integer> living = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            living.add(rank);
        }
        boolean isSilent = chance.chance(15);
        for (int deaths = chance.below(mostDeaths + 1); deaths > 0; deaths--) {
            int rank = living.remove(chance.below(living.size()));
            SimFault.Kind kind = isSilent ? SimFault.Kind.VANISH : SimFault.Kind.KILL;
            faults.add(
                    switch (chance.below(4)) {
                        case 0 -> SimFault.crash(Victim.first(rank), SendPoint.frame(chance.anyMagnitude(MOST_FRAMES)));
                        case 1 ->
                            SimFault.death(
                                    kind, Victim.first(rank), new Moment.AtTime(chance.anyMagnitude(10 * SHORT_NS)));
                        default -> SimFault.death(kind, Victim.first(rank), anyCall(chance));
                    });
        }
        if (chance.chance(15)) {
            int rank = chance.below(ranks);
            faults.add(SimFault.pause(Victim.first(rank), chance.anyMagnitude(3 * timeoutNs), anyCall(chance)));
        }
        if (ranks > 1 && chance.chance(10)) {
            int rank = chance.below(ranks);
            int other = (rank + 1 + chance.below(ranks - 1)) % ranks;
            Moment moment = new Moment.AtTime(chance.anyMagnitude(10 * SHORT_NS));
            faults.add(
                    chance.chance(50)
                            ? SimFault.suspect(rank, other, moment)
                            : SimFault.cut(rank, other, chance.anyMagnitude(4 * timeoutNs), moment));
        }
    }

    /** If ranks are restarted, may draw deaths of replacements, and the death of the launcher. */
    private static void drawRestarts(int restarts, SeededRandom chance, List<SimFault> faults) {
        if (restarts == 0) {
            return;
        }
        List<SimFault> first = faults.stream().filter(SimFault::isDeath).toList();
        for (int more = first.isEmpty() ? 0 : chance.below(restarts + 1); more > 0; more--) {
            int rank = first.get(chance.below(first.size())).rank();
            Victim victim = new Victim(rank, 1 + (int) chance.anyMagnitude(Math.max(1, restarts - 1)) / 2);
            faults.add(
                    chance.chance(50)
                            ? SimFault.crash(victim, SendPoint.frame(chance.anyMagnitude(MOST_FRAMES)))
                            : SimFault.death(SimFault.Kind.KILL, victim, anyCall(chance)));
        }
        if (chance.chance(15)) {
            faults.add(SimFault.launcher(new Moment.AtTime(chance.anyMagnitude(LONG_NS))));
        }
    }

    /**
     * In some runs, but in none whose launcher dies, draws silences that do not end by themselves. Without a launcher
     * there may be no rank that could end a silent one.
     */
    private void drawSilences(SeededRandom chance, List<SimFault> faults) {
        boolean hasLauncher = faults.stream().noneMatch(fault -> fault.kind() == SimFault.Kind.LAUNCHER);
        if (hasLauncher && chance.chance(10)) {
            faults.add(SimFault.mute(Victim.first(chance.below(ranks)), anyCall(chance)));
        }
        if (ranks > 1 && hasLauncher && chance.chance(10)) {
            int rank = chance.below(ranks);
            int other = (rank + 1 + chance.below(ranks - 1)) % ranks;
            Moment moment = new Moment.AtTime(chance.anyMagnitude(10 * SHORT_NS));
            faults.add(SimFault.cut(rank, other, FOR_EVER_NS, moment));
        }
    }

    private static Moment anyCall(SeededRandom chance) {
        return new Moment.AtOperation(FaultTrigger.ANY_OPERATION, chance.anyMagnitude(MOST_CALLS));
    }

    private List<Integer> freeRanks() {
        List<Integer> free = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            free.add(rank);
        }
        for (FaultRule rule : rules) {
            if (rule.kind() != null && rule.kind() != SimFault.Kind.LAUNCHER) {
                free.removeAll(rule.target().ranks());
            }
        }
        return free;
    }
}
