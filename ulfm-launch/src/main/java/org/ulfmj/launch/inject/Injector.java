package org.ulfmj.launch.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.launch.output.Report;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.FaultAction;
import org.ulfmj.runtime.inject.FaultMarks;
import org.ulfmj.runtime.inject.HostChoice;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.runtime.inject.PlannedFault;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * Carries out the launcher's part of a plan of faults, real signals to the processes of the job above all: at a time of
 * the launcher's clock, after an event at a rank, or when a process has reached the planned point. Processes report to
 * it the faults that they carry out themselves. It reports faults that happen, and at the end those that never
 * happened. Used by one thread.
 */
public final class Injector {
    private static final double SECOND_NS = 1e9;
    /** By how many bits a random number is shifted right, so that the seed is short enough to be typed. */
    private static final int SEED_SHIFT = 33;

    private final Map<Integer, PlannedFault> open = new TreeMap<>();
    private final List<Due> agenda = new ArrayList<>();
    private final Set<ProcessId> killed = new TreeSet<>();
    private final Set<Integer> carriedOut = new TreeSet<>();
    private final Report report;
    private final Executioner executioner;
    /** Null where the user wants no report, no log and no check of what came of the plan. */
    private final InjectJournal journal;

    private long startNs = Long.MAX_VALUE;

    /** Sends signals. */
    public interface Executioner {
        /** Kills a process and returns its pid; 0 if there is no such process, or it has ended already. */
        long kill(ProcessId process);

        /** Sends a signal to a process and returns its pid; 0 if there is no such process, or it has ended already. */
        long signal(ProcessId process, String name);

        /** Ends the launcher itself by SIGKILL. */
        void killLauncher();

        /** Lets the agents of hosts kill themselves. */
        void killAgents(HostChoice hosts);

        /**
         * Drops the messages between the launcher and the agents of the hosts that a partition cuts off from it, in
         * both directions or in one, as the partition says.
         *
         * @param durationNs 0 for the rest of the job
         */
        void partition(HostChoice hosts, long durationNs);

        /**
         * Keeps the launcher's rendezvous server, which also has the store of the job, from answering any request for
         * this time.
         */
        void pauseStore(long durationNs);
    }

    Injector(List<PlannedFault> faults, Report report, Executioner executioner) {
        this(faults, report, executioner, null);
    }

    Injector(List<PlannedFault> faults, Report report, Executioner executioner, InjectJournal journal) {
        for (PlannedFault fault : faults) {
            open.put(fault.number(), fault);
        }
        this.report = report;
        this.executioner = executioner;
        this.journal = journal;
    }

    /**
     * Makes the random choices of a plan, and reports the seed if there are any, so that the run can be repeated.
     *
     * @param givenSeed null to draw one
     */
    static List<PlannedFault> draw(InjectPlan plan, Long givenSeed, Report report) {
        long seed = givenSeed == null ? RandomBytes.nextLong() >>> SEED_SHIFT : givenSeed;
        List<PlannedFault> drawn = plan.draw(seed);
        if (plan.isRandom()) {
            StringBuilder text = new StringBuilder();
            for (PlannedFault fault : drawn) {
                text.append(text.length() == 0 ? "" : "; ").append(fault);
            }
            report.say("inject: --inject-seed " + seed + " gives " + text);
        }
        return drawn;
    }

    /**
     * Returns, by slot, the named points at which the processes themselves have to stop, act or report.
     *
     * @param isReporting whether each process also reports failures and recoveries, for which it gets one more point
     */
    static Map<Integer, List<FaultTrigger>> triggers(List<PlannedFault> faults, int size, boolean isReporting) {
        Map<Integer, List<FaultTrigger>> triggers = new TreeMap<>();
        for (PlannedFault fault : faults) {
            fault.trigger().ifPresent(trigger -> triggers.computeIfAbsent(fault.rank(), rank -> new ArrayList<>())
                    .add(trigger));
        }
        for (int slot = 0; isReporting && slot < size; slot++) {
            triggers.computeIfAbsent(slot, rank -> new ArrayList<>())
                    .add(new FaultTrigger(JobConfiguration.REPORT, "report", 1, FaultTrigger.EVERY_INCARNATION));
        }
        return triggers;
    }

    /**
     * Returns the rules of the fault plan that processes must know, by number: faults that a rank carries out, faults
     * of links, partitions, and faults that the launcher carries out once the process has reached a point, but not
     * those by which it kills the process there without a delay.
     *
     * @param hosts asked only where a plan has partitions
     * @param isReporting whether each process also reports failures and recoveries
     */
    static Map<Integer, String> rulesOfProcesses(List<PlannedFault> faults, HostWords hosts, boolean isReporting) {
        Map<Integer, String> rules = new TreeMap<>();
        for (PlannedFault fault : faults) {
            boolean isToldOnly = fault.action().actor() == FaultAction.Actor.LAUNCHER
                    && fault.trigger().isPresent()
                    && !fault.isDeathAtPoint();
            if (fault.action() == FaultAction.PARTITION) {
                rules.put(fault.number(), fault.withHosts(hosts::wordsOf).toString());
            }
            if (fault.action().actor() == FaultAction.Actor.RANK || fault.link() != null || isToldOnly) {
                rules.put(fault.number(), fault.toString());
            }
        }
        if (isReporting) {
            rules.put(JobConfiguration.REPORT, "report");
        }
        return rules;
    }

    /**
     * The program begins. Faults that the launcher carries out at a time after the start are timed from now, except
     * those of later processes of a slot; only the first call counts.
     */
    public void start(long nowNs) {
        if (startNs != Long.MAX_VALUE) {
            return;
        }
        startNs = nowNs;
        for (PlannedFault fault : open.values()) {
            boolean isOurs = fault.action().actor() == FaultAction.Actor.LAUNCHER_ITSELF
                    || fault.action() == FaultAction.PARTITION;
            if (isOurs && fault.moment() instanceof Moment.AtTime at) {
                agenda.add(new Due(fault, null, nowNs + at.afterStartNs(), false));
            } else {
                putOnAgenda(fault, ProcessId.of(Math.max(0, fault.rank())), nowNs);
            }
        }
    }

    /**
     * A process has taken the place of an earlier one. Faults that the launcher carries out on it at a time after its
     * start are timed from now.
     */
    public void started(ProcessId next, long nowNs) {
        for (PlannedFault fault : open.values()) {
            putOnAgenda(fault, next, nowNs);
        }
    }

    private void putOnAgenda(PlannedFault fault, ProcessId process, long fromNs) {
        if (fault.action().actor() == FaultAction.Actor.LAUNCHER
                && fault.moment() instanceof Moment.AtTime at
                && fault.isFor(process)) {
            agenda.add(new Due(fault, process, fromNs + at.afterStartNs(), false));
        }
    }

    /** A process is certainly dead. May be called twice for the same process. */
    void died(ProcessId process, long nowNs) {
        if (journal != null) {
            journal.died(process, nowNs);
        }
        if (!open.isEmpty()) {
            onEvent(Moment.Event.DEAD, process.slot(), nowNs);
        }
    }

    /** A process has called Init. */
    public void joined(ProcessId process, long nowNs) {
        if (process.incarnation() > 0) {
            onEvent(Moment.Event.JOINED, process.slot(), nowNs);
        }
    }

    private void onEvent(Moment.Event event, int slot, long nowNs) {
        for (PlannedFault fault : open.values()) {
            boolean isOurs = fault.action().actor() != FaultAction.Actor.RANK && fault.link() == null;
            if (isOurs
                    && fault.moment() instanceof Moment.AtEvent at
                    && at.event() == event
                    && at.rank() == slot
                    && !carriedOut.contains(fault.number())) {
                carriedOut.add(fault.number());
                agenda.add(new Due(fault, target(fault), nowNs + at.afterNs(), false));
            }
        }
    }

    private static ProcessId target(PlannedFault fault) {
        return fault.rank() == PlannedFault.NO_RANK
                ? null
                : new ProcessId(fault.rank(), fault.isForEvery() ? 0 : fault.incarnation());
    }

    /** When the next fault by the clock, or the end of one, is due; {@link Long#MAX_VALUE} for never. */
    public long deadlineNs() {
        long nextNs = Long.MAX_VALUE;
        for (Due due : agenda) {
            nextNs = Math.min(nextNs, due.atNs());
        }
        return nextNs;
    }

    /** Carries out the faults that are due, and ends those whose duration has passed. */
    public void tick(long nowNs) {
        for (Due due : List.copyOf(agenda)) {
            if (due.atNs() <= nowNs) {
                agenda.remove(due);
                if (due.isEnd()) {
                    goOn(due.fault(), due.process());
                } else {
                    carryOut(due.fault(), due.process(), "planned at " + planned(due));
                }
            }
        }
    }

    private String planned(Due due) {
        if (!(due.fault().moment() instanceof Moment.AtTime at)) {
            return due.fault().moment().toString();
        }
        String after = seconds(at.afterStartNs());
        boolean isFirst = due.process() == null || due.process().incarnation() == 0;
        return isFirst ? after : after + " after its start";
    }

    /**
     * A process reports that it has reached a point of the plan, where it waits if it is to be killed there, or that
     * another fault or a mark has come to pass in it.
     */
    public void reached(ProcessId process, int number, long nowNs) {
        if (!FaultMarks.isRule(number)) {
            if (journal != null) {
                journal.marked(process, number, nowNs);
            }
            return;
        }
        PlannedFault fault = open.get(number);
        if (fault == null || killed.contains(process)) {
            return;
        }
        String planned = "planned at " + fault.moment();
        if (fault.link() != null) {
            tellLink(fault, process, nowNs);
        } else if (fault.isFor(process) && fault.action().actor() == FaultAction.Actor.LAUNCHER) {
            if (fault.delayNs() > 0) {
                agenda.add(new Due(fault, process, nowNs + fault.delayNs(), false));
            } else {
                carryOut(fault, process, planned + ", reached at " + seconds(nowNs - startNs));
            }
        } else if (fault.isFor(process)) {
            close(fault);
            note(fault, process, nowNs, fault.action().word());
            say(name(process) + " " + done(fault.action()) + " at " + seconds(nowNs - startNs) + "; " + planned);
        }
    }

    private void tellLink(PlannedFault fault, ProcessId process, long nowNs) {
        boolean isFirst = carriedOut.add(fault.number());
        note(fault, process, nowNs, fault.action().word());
        if (isFirst) {
            say(fault + " began at " + seconds(nowNs - startNs) + ", seen by rank " + process);
        }
    }

    /** Whether this injector has killed this process by SIGKILL. */
    public boolean hasKilled(ProcessId process) {
        return killed.contains(process);
    }

    /** Reports the faults that never happened. */
    public void finish() {
        for (PlannedFault fault : open.values()) {
            if (!carriedOut.contains(fault.number())) {
                report.say("inject: " + fault + " never came to pass");
                if (journal != null) {
                    journal.never(fault);
                }
            }
        }
        open.clear();
        agenda.clear();
    }

    private void close(PlannedFault fault) {
        carriedOut.add(fault.number());
        if (!fault.isForEvery()) {
            open.remove(fault.number());
        }
    }

    private void carryOut(PlannedFault fault, ProcessId process, String planned) {
        close(fault);
        if (fault.action() == FaultAction.LAUNCHER_KILL) {
            note(fault, null, System.nanoTime(), "killed");
            say("mpiexec is killed; " + planned);
            executioner.killLauncher();
            return;
        }
        if (fault.hosts() != null) {
            carryOutOnHosts(fault, planned);
            return;
        }
        if (fault.action() == FaultAction.STORE_PAUSE) {
            note(fault, null, System.nanoTime(), "paused");
            executioner.pauseStore(fault.durationNs());
            say("the store pauses at " + seconds(System.nanoTime() - startNs) + "; " + planned);
            return;
        }
        long pid = strike(fault, process);
        long nowNs = System.nanoTime();
        if (pid == 0) {
            note(fault, process, nowNs, "had ended already");
            say(fault + " (" + planned + "): rank " + process + " had ended already");
            return;
        }
        note(fault, process, nowNs, done(fault.action()));
        say("rank " + process + " (pid " + pid + ") " + done(fault.action()) + " at " + seconds(nowNs - startNs) + "; "
                + planned);
        if (fault.action() == FaultAction.STOP && fault.durationNs() > 0) {
            agenda.add(new Due(fault, process, nowNs + fault.durationNs(), true));
        }
    }

    private void carryOutOnHosts(PlannedFault fault, String planned) {
        if (fault.action() == FaultAction.PARTITION) {
            executioner.partition(fault.hosts(), fault.durationNs());
        } else {
            executioner.killAgents(fault.hosts());
        }
        long nowNs = System.nanoTime();
        note(fault, null, nowNs, fault.action().word());
        say(fault + " began at " + seconds(nowNs - startNs) + "; " + planned);
    }

    private long strike(PlannedFault fault, ProcessId process) {
        if (fault.action() != FaultAction.KILL) {
            return executioner.signal(process, fault.action() == FaultAction.STOP ? "STOP" : "TERM");
        }
        long pid = executioner.kill(process);
        if (pid != 0) {
            killed.add(process);
        }
        return pid;
    }

    private void goOn(PlannedFault fault, ProcessId process) {
        if (executioner.signal(process, "CONT") != 0) {
            note(fault, process, System.nanoTime(), "continued");
            say("rank " + process + " continued at " + seconds(System.nanoTime() - startNs));
        }
    }

    private void note(PlannedFault fault, ProcessId process, long nowNs, String outcome) {
        if (journal != null) {
            journal.happened(fault, process, startNs, nowNs, outcome);
        }
    }

    private void say(String what) {
        report.say("inject: ".concat(what));
    }

    private static String name(ProcessId process) {
        return "rank " + process;
    }

    private static String done(FaultAction action) {
        return switch (action) {
            case KILL -> "killed";
            case TERM -> "got SIGTERM";
            case STOP -> "stopped";
            case EXIT -> "exits";
            case ABORT -> "aborts";
            case PAUSE -> "pauses";
            case HANG -> "hangs";
            case SLOW -> "is slow";
            case OOM -> "has no memory";
            default -> action.word();
        };
    }

    private static String seconds(long durationNs) {
        return String.format(Locale.ROOT, "%.3f s", durationNs / SECOND_NS);
    }

    /**
     * A fault to be carried out or ended at a time.
     *
     * @param isEnd whether the fault ends then; else it begins
     */
    private record Due(PlannedFault fault, ProcessId process, long atNs, boolean isEnd) {}
}
