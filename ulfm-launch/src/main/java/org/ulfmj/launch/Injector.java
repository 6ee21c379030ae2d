package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.runtime.FaultTrigger;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.inject.Kill;
import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * Carries out a plan of deaths: real SIGKILLs, by the launcher's clock or where the process itself stopped for it. Tells of
 * each when it was planned and when it happened, and at the end of those that never came. Used by one thread.
 */
final class Injector {
    private static final double SECOND_NS = 1e9;
    /** Leaves a seed that is short enough to be typed. */
    private static final int SEED_SHIFT = 33;

    private final Map<Integer, Kill> open = new TreeMap<>();
    private final Set<Integer> killed = new TreeSet<>();
    private final Report report;
    private final Executioner executioner;
    private long startNs = Long.MAX_VALUE;

    /** Sends the signal. */
    interface Executioner {
        /** Kills the process of a slot and returns its pid; 0 if it has ended already. */
        long kill(int slot);
    }

    Injector(List<Kill> kills, Report report, Executioner executioner) {
        for (Kill kill : kills) {
            open.put(kill.number(), kill);
        }
        this.report = report;
        this.executioner = executioner;
    }

    /** Draws what a plan leaves to chance, and tells the seed, so that the run can be repeated. */
    static List<Kill> draw(InjectPlan plan, Long givenSeed, Report report) {
        long seed = givenSeed == null ? RandomBytes.nextLong() >>> SEED_SHIFT : givenSeed;
        List<Kill> drawn = plan.draw(seed);
        if (plan.isRandom()) {
            StringBuilder text = new StringBuilder();
            for (Kill kill : drawn) {
                text.append(text.length() == 0 ? "" : "; ").append(kill);
            }
            report.say("inject: --inject-seed " + seed + " gives " + text);
        }
        return drawn;
    }

    /** What the processes themselves have to watch for, by slot. */
    static Map<Integer, List<FaultTrigger>> triggers(List<Kill> kills) {
        Map<Integer, List<FaultTrigger>> triggers = new TreeMap<>();
        for (Kill kill : kills) {
            kill.trigger().ifPresent(trigger -> triggers.computeIfAbsent(kill.rank(), rank -> new ArrayList<>())
                    .add(trigger));
        }
        return triggers;
    }

    /** The program begins: times count from now. */
    void start(long nowNs) {
        startNs = nowNs;
    }

    /** When the next kill by the clock is due; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        long nextNs = Long.MAX_VALUE;
        for (Kill kill : open.values()) {
            if (startNs != Long.MAX_VALUE && kill.moment() instanceof Moment.AtTime at) {
                nextNs = Math.min(nextNs, startNs + at.afterStartNs());
            }
        }
        return nextNs;
    }

    /** Kills whose time has come. */
    void tick(long nowNs) {
        for (Kill kill : List.copyOf(open.values())) {
            if (startNs != Long.MAX_VALUE
                    && kill.moment() instanceof Moment.AtTime at
                    && startNs + at.afterStartNs() <= nowNs) {
                carryOut(kill, "planned at " + seconds(at.afterStartNs()));
            }
        }
    }

    /** A process stopped where it is to be killed. */
    void reached(int slot, int number, long nowNs) {
        Kill kill = open.get(number);
        if (kill != null && kill.rank() == slot) {
            carryOut(kill, "planned at " + kill.moment() + ", reached at " + seconds(nowNs - startNs));
        }
    }

    /** Whether the process of a slot was killed by this plan. */
    boolean hasKilled(int slot) {
        return killed.contains(slot);
    }

    /** Tells of what never happened. */
    void finish() {
        for (Kill kill : open.values()) {
            report.say("inject: " + kill + " never came to pass");
        }
        open.clear();
    }

    private void carryOut(Kill kill, String planned) {
        open.remove(kill.number());
        long pid = executioner.kill(kill.rank());
        if (pid != 0) {
            killed.add(kill.rank());
        }
        String actual = seconds(System.nanoTime() - startNs);
        report.say(
                pid == 0
                        ? "inject: " + kill + " (" + planned + "): rank " + kill.rank() + " had ended already"
                        : "inject: rank " + kill.rank() + " (pid " + pid + ") killed at " + actual + "; " + planned);
    }

    private static String seconds(long durationNs) {
        return String.format(Locale.ROOT, "%.3f s", durationNs / SECOND_NS);
    }
}
