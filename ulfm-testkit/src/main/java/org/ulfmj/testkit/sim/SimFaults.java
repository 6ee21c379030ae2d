package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.runtime.inject.PlannedFault;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;
import org.ulfmj.testkit.sim.fault.SimFault;

/** Carries out the faults of one run, and knows which links are cut. */
final class SimFaults {
    private final SimJob job;
    private final List<SimFault> faults;
    private final Timing timing;
    /** Per pair of slots, the end of the cut between them; null until a first link is cut. */
    private long[][] cutUntilNs;

    /** The number of faults that are scheduled for a fixed time and are still to come. */
    private int toCome;

    SimFaults(SimJob job, List<SimFault> faults, Timing timing) {
        this.job = job;
        this.faults = faults;
        this.timing = timing;
    }

    /** Returns the triggers for the faults whose moments a process finds itself, mostly in its calls. */
    List<FaultTrigger> triggers(ProcessId process) {
        List<FaultTrigger> triggers = new ArrayList<>();
        for (int number = 0; number < faults.size(); number++) {
            SimFault fault = faults.get(number);
            if (isFor(fault, process) && fault.moment() != null) {
                PlannedFault.kill(number, process.slot(), process.incarnation(), fault.moment())
                        .trigger()
                        .ifPresent(triggers::add);
            }
        }
        return triggers;
    }

    private static boolean isFor(SimFault fault, ProcessId process) {
        return fault.victim() != null && fault.victim().is(process);
    }

    /**
     * Prepares the faults of a process that follow from its sends and, at a process that replaces another one, those
     * that follow from the time since its rank began.
     */
    void equip(SimRank process) {
        for (int number = 0; number < faults.size(); number++) {
            SimFault fault = faults.get(number);
            if (!isFor(fault, process.id())) {
                continue;
            }
            if (fault.kind() == SimFault.Kind.CRASH) {
                process.sends().dieAt(fault.sent());
            } else if (fault.moment() instanceof Moment.AtTime at
                    && process.id().incarnation() > 0) {
                int rule = number;
                later(at.afterStartNs(), () -> meet(rule, process));
            }
        }
    }

    private void later(long afterNs, Runnable fault) {
        toCome++;
        job.at(job.nowNs() + afterNs, () -> {
            toCome--;
            fault.run();
        });
    }

    /** Schedules the faults that come at a fixed time of the run. */
    void plan() {
        for (int number = 0; number < faults.size(); number++) {
            SimFault fault = faults.get(number);
            boolean isAtOnce = fault.victim() == null || fault.victim().is(ProcessId.of(fault.rank()));
            if (isAtOnce && fault.moment() instanceof Moment.AtTime at) {
                int rule = number;
                later(at.afterStartNs(), () -> strike(rule));
            }
        }
    }

    /** Whether no fault is left that comes at a fixed time. */
    boolean arePast() {
        return toCome == 0;
    }

    /** Carries out a fault whose time has come, unless it hits a rank that has not begun or has ended. */
    private void strike(int number) {
        SimFault fault = faults.get(number);
        if (fault.kind() == SimFault.Kind.LAUNCHER) {
            job.launcher().end();
        } else {
            SimRank victim = job.process(ProcessId.of(fault.rank()));
            if (victim != null) { // else it has not begun yet
                meet(number, victim);
            }
        }
    }

    /** Carries out a fault whose moment has come at this rank, unless the rank has ended. Returns the fault. */
    SimFault meet(int number, SimRank rank) {
        SimFault fault = faults.get(number);
        if (rank.hasEnded()) {
            return fault;
        }
        job.note(SimJournal.Kind.FAULT, rank, number, fault.toString());
        switch (fault.kind()) {
            case KILL, VANISH ->
                job.launcher()
                        .die(
                                rank,
                                new RankOutcome(RankEnd.KILLED, null, fault.toString()),
                                fault.kind() == SimFault.Kind.KILL);
            case SUSPECT -> suspect(fault, rank);
            case PAUSE -> rank.pause(fault.durationNs());
            case MUTE -> rank.fallMute();
            case CUT -> cut(fault);
            default -> throw new IllegalStateException("no moment has " + fault);
        }
        return fault;
    }

    private void suspect(SimFault fault, SimRank rank) {
        SimRank observer = job.rank(fault.other());
        if (!observer.hasEnded() && observer != rank) {
            job.launcher().suspect(observer, rank.id());
        }
    }

    private void cut(SimFault fault) {
        int one = fault.rank();
        int other = fault.other();
        if (cutUntilNs == null) {
            cutUntilNs = new long[job.slots()][job.slots()];
        }
        cutUntilNs[one][other] = Math.max(cutUntilNs[one][other], job.nowNs() + fault.durationNs());
        cutUntilNs[other][one] = cutUntilNs[one][other];
        job.disturbedUntil(Math.min(cutUntilNs[one][other], job.nowNs() + 2 * job.silenceEndsNs()));
        job.at(job.nowNs() + timing.linkBudgetNs(), () -> lookAtLink(one, other));
    }

    /**
     * Lets both ends of a link notice that it is cut, or that it is there again; an end that stands still now notices
     * that later. The ends are the latest processes of both slots, so replacements notice too.
     */
    private void lookAtLink(int one, int other) {
        SimRank here = job.rank(one);
        SimRank there = job.rank(other);
        boolean isCut = cutUntilNs[one][other] > job.nowNs();
        for (SimRank rank : List.of(here, there)) {
            ProcessId peer = (rank == here ? there : here).id();
            if (rank.hasEnded() || rank.stands()) {
                continue;
            }
            if (isCut) {
                rank.loseLink(peer);
            } else {
                rank.restoreLink(peer);
            }
        }
        boolean isNoticed = !isCut && !here.stands() && !there.stands();
        if (!isNoticed && !job.isOver()) {
            job.at(job.nowNs() + timing.linkBudgetNs(), () -> lookAtLink(one, other));
        }
    }

    /** Whether the link to which a lane belongs is cut now. */
    boolean isCut(SimLane lane) {
        return cutUntilNs != null
                && cutUntilNs[lane.from.rank().slot()][lane.to.rank().slot()] > job.nowNs();
    }

    /**
     * Whether the link to which a lane belongs is cut now. If it is, the arrival is put off until the end of the cut.
     */
    boolean isHeldUp(SimLane lane) {
        if (!isCut(lane)) {
            return false;
        }
        job.at(cutUntilNs[lane.from.rank().slot()][lane.to.rank().slot()], lane);
        return true;
    }
}
