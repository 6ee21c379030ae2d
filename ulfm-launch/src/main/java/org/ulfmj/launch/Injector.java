package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.inject.Kill;
import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * Carries out a plan of deaths: real SIGKILLs, by the launcher's clock or where the process itself stopped for it.
 * Reports for each kill when it was planned and when it happened, and at the end which kills never happened. Used by
 * one thread.
 */
final class Injector {
    private static final double SECOND_NS = 1e9;
    /** Shifts a random number to a seed that is short enough to be typed. */
    private static final int SEED_SHIFT = 33;

    private final Map<Integer, Kill> open = new TreeMap<>();
    private final List<Due> agenda = new ArrayList<>();
    private final Set<ProcessId> killed = new TreeSet<>();
    private final Set<Integer> carriedOut = new TreeSet<>();
    private final Report report;
    private final Executioner executioner;
    private long startNs = Long.MAX_VALUE;

    /** Sends the signal. */
    interface Executioner {
        /** Kills a process and returns its pid; 0 if it has ended already. */
        long kill(ProcessId process);
    }

    Injector(List<Kill> kills, Report report, Executioner executioner) {
        for (Kill kill : kills) {
            open.put(kill.number(), kill);
        }
        this.report = report;
        this.executioner = executioner;
    }

    /** Draws the parts of a plan that are left to chance, and reports the seed, so that the run can be repeated. */
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

    /** Returns the points at which the processes themselves have to stop, by slot. */
    static Map<Integer, List<FaultTrigger>> triggers(List<Kill> kills) {
        Map<Integer, List<FaultTrigger>> triggers = new TreeMap<>();
        for (Kill kill : kills) {
            kill.trigger().ifPresent(trigger -> triggers.computeIfAbsent(kill.rank(), rank -> new ArrayList<>())
                    .add(trigger));
        }
        return triggers;
    }

    /** The program begins: the times of kills of incarnation 0 count from now. */
    void start(long nowNs) {
        if (startNs != Long.MAX_VALUE) {
            return;
        }
        startNs = nowNs;
        for (Kill kill : open.values()) {
            putOnAgenda(kill, ProcessId.of(kill.rank()), nowNs);
        }
    }

    /** A process has been put in the place of one that died: the times of its kills count from now. */
    void started(ProcessId next, long nowNs) {
        for (Kill kill : open.values()) {
            putOnAgenda(kill, next, nowNs);
        }
    }

    private void putOnAgenda(Kill kill, ProcessId process, long fromNs) {
        if (kill.moment() instanceof Moment.AtTime at && kill.isFor(process)) {
            agenda.add(new Due(kill, process, fromNs + at.afterStartNs()));
        }
    }

    /** When the next kill by the clock is due; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        long nextNs = Long.MAX_VALUE;
        for (Due due : agenda) {
            nextNs = Math.min(nextNs, due.atNs());
        }
        return nextNs;
    }

    /** Carries out the kills whose time has come. */
    void tick(long nowNs) {
        for (Due due : List.copyOf(agenda)) {
            if (due.atNs() <= nowNs) {
                agenda.remove(due);
                carryOut(due.kill(), due.process(), "planned at " + planned(due));
            }
        }
    }

    private String planned(Due due) {
        String after = seconds(((Moment.AtTime) due.kill().moment()).afterStartNs());
        return due.process().incarnation() == 0 ? after : after + " after its start";
    }

    /** A process has stopped at the point where it is to be killed. */
    void reached(ProcessId process, int number, long nowNs) {
        Kill kill = open.get(number);
        if (kill != null && kill.isFor(process) && !killed.contains(process)) {
            carryOut(kill, process, "planned at " + kill.moment() + ", reached at " + seconds(nowNs - startNs));
        }
    }

    /** Whether a process was killed by this plan. */
    boolean hasKilled(ProcessId process) {
        return killed.contains(process);
    }

    /** Reports the kills that never happened. */
    void finish() {
        for (Kill kill : open.values()) {
            if (!carriedOut.contains(kill.number())) {
                report.say("inject: " + kill + " never came to pass");
            }
        }
        open.clear();
        agenda.clear();
    }

    private void carryOut(Kill kill, ProcessId process, String planned) {
        carriedOut.add(kill.number());
        if (!kill.isForEvery()) {
            open.remove(kill.number());
        }
        long pid = executioner.kill(process);
        if (pid != 0) {
            killed.add(process);
        }
        String actual = seconds(System.nanoTime() - startNs);
        report.say(
                pid == 0
                        ? "inject: " + kill + " (" + planned + "): rank " + process + " had ended already"
                        : "inject: rank " + process + " (pid " + pid + ") killed at " + actual + "; " + planned);
    }

    private static String seconds(long durationNs) {
        return String.format(Locale.ROOT, "%.3f s", durationNs / SECOND_NS);
    }

    private record Due(Kill kill, ProcessId process, long atNs) {}
}
