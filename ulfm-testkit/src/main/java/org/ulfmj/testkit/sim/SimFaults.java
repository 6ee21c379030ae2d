package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.FaultTrigger;
import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;

/** Lets the faults of one run happen, and knows which links are cut. */
final class SimFaults {
    private final SimJob job;
    private final List<SimFault> faults;
    private final Timing timing;
    /** By both slots; null until something is cut. */
    private long[][] cutUntilNs;

    /** Of those that go by the clock. */
    private int toCome;

    SimFaults(SimJob job, List<SimFault> faults, Timing timing) {
        this.job = job;
        this.faults = faults;
        this.timing = timing;
    }

    /** What the rank itself has to watch for. */
    List<FaultTrigger> triggers(int slot) {
        List<FaultTrigger> triggers = new ArrayList<>();
        for (int number = 0; number < faults.size(); number++) {
            SimFault fault = faults.get(number);
            if (fault.rank() == slot && fault.moment() instanceof Moment.AtOperation at) {
                triggers.add(new FaultTrigger(number, at.operation(), at.count()));
            } else if (fault.rank() == slot && fault.moment() instanceof Moment.AtIteration at) {
                triggers.add(new FaultTrigger(number, FaultTrigger.ITERATION, at.level()));
            }
        }
        return triggers;
    }

    /** Puts on the agenda what goes by the clock. */
    void plan() {
        for (int number = 0; number < faults.size(); number++) {
            SimFault fault = faults.get(number);
            if (fault.moment() instanceof Moment.AtTime at) {
                toCome++;
                int rule = number;
                job.agenda().at(SimJob.START_NS + at.afterStartNs(), () -> {
                    toCome--;
                    meet(rule);
                });
            } else if (fault.kind() == SimFault.Kind.CRASH) {
                job.rank(fault.rank()).dieAtFrame(fault.frame());
            }
        }
    }

    /** Whether none is to come by itself. */
    boolean arePast() {
        return toCome == 0;
    }

    /** The moment of a fault has come. */
    SimFault meet(int number) {
        SimFault fault = faults.get(number);
        SimRank rank = job.rank(fault.rank());
        if (rank.hasEnded()) {
            return fault;
        }
        job.note(Journal.Kind.FAULT, rank, number, fault.toString());
        switch (fault.kind()) {
            case KILL, VANISH ->
                job.launcher()
                        .die(
                                rank,
                                new RankOutcome(RankEnd.KILLED, null, fault.toString()),
                                fault.kind() == SimFault.Kind.KILL);
            case SUSPECT -> suspect(fault, rank);
            case PAUSE -> rank.pause(fault.durationNs());
            case CUT -> cut(fault);
            default -> throw new IllegalStateException("no moment has " + fault);
        }
        return fault;
    }

    private void suspect(SimFault fault, SimRank rank) {
        SimRank observer = job.rank(fault.other());
        if (!observer.hasEnded() && observer != rank) {
            job.launcher().suspect(observer, rank.slot());
        }
    }

    private void cut(SimFault fault) {
        int one = fault.rank();
        int other = fault.other();
        if (cutUntilNs == null) {
            cutUntilNs = new long[job.size()][job.size()];
        }
        cutUntilNs[one][other] = Math.max(cutUntilNs[one][other], job.nowNs() + fault.durationNs());
        cutUntilNs[other][one] = cutUntilNs[one][other];
        job.disturbedUntil(cutUntilNs[one][other]);
        // As the coordinator of a job does with two that live and do not reach each other.
        long patienceNs = timing.linkBudgetNs() + timing.detectorTimeoutNs();
        if (fault.durationNs() > patienceNs) {
            job.agenda().at(job.nowNs() + patienceNs, () -> judge(one, other));
        }
    }

    private void judge(int one, int other) {
        SimRank higher = job.rank(Math.max(one, other));
        if (!job.rank(one).hasEnded() && !job.rank(other).hasEnded() && cutUntilNs[one][other] > job.nowNs()) {
            higher.runtime().onFence("rank " + Math.min(one, other) + " and it do not reach each other");
            higher.pollSoon();
        }
    }

    /** Whether the link that a lane is in is cut now. */
    boolean isCut(SimLane lane) {
        return cutUntilNs != null
                && cutUntilNs[lane.from.rank().slot()][lane.to.rank().slot()] > job.nowNs();
    }

    /** The same; what was to arrive then arrives when the link is there again. */
    boolean isHeldUp(SimLane lane) {
        if (!isCut(lane)) {
            return false;
        }
        job.agenda().at(cutUntilNs[lane.from.rank().slot()][lane.to.rank().slot()], lane);
        return true;
    }
}
