package org.ulfmj.check.detector;

import java.util.List;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * Carries out a fault plan on the members of a world, and acts as the launcher. This launcher tells members of ends, as
 * far as the plan says so. If a path between two members is cut for good, in one direction or both, and both still run
 * when that is reported, it fences the one in the higher slot.
 */
public final class FaultInjection {
    /** The event's name in the coverage line. */
    public static final String UNREACHABLE = "a live rank fenced because of a cut";

    private final Simulation world;
    private final List<? extends Member> members;
    private final FaultPlan plan;
    private final long longestNoticeNs;
    private final SeededRandom random;

    /** @param longestNoticeNs how late the launcher's news of an end may come at most */
    public FaultInjection(Simulation world, List<? extends Member> members, FaultPlan plan, long longestNoticeNs) {
        this.world = world;
        this.members = members;
        this.plan = plan;
        this.longestNoticeNs = longestNoticeNs;
        this.random = world.random("notices");
    }

    /** Schedules all faults of the plan. */
    public void plan() {
        for (FaultPlan.Crash crash : plan.crashes()) {
            members.get(crash.node()).process().plan(crash);
        }
        for (FaultPlan.Suspicion suspicion : plan.suspicions()) {
            world.faultAt(suspicion.atNs(), () -> suspect(suspicion));
        }
        for (FaultPlan.Pause pause : plan.pauses()) {
            world.faultAt(
                    pause.atNs(), () -> members.get(pause.node()).process().pause(pause.durationNs()));
        }
        for (FaultPlan.Sleep sleep : plan.sleeps()) {
            for (Member member : members) {
                long durationNs = sleep.durationNs() + random.between(0, Pace.SHORT_PAUSE_NS);
                world.faultAt(sleep.atNs(), () -> member.process().pause(durationNs));
            }
        }
        for (FaultPlan.Cut cut : plan.cuts()) {
            world.faultAt(cut.atNs(), () -> cut(cut));
        }
        for (FaultPlan.Lag lag : plan.lags()) {
            world.faultAt(lag.atNs(), () -> members.get(lag.node()).process().slowDown(lag.durationNs()));
        }
        for (Member member : members) {
            member.process().onEnd(() -> tellOthers(member));
        }
    }

    private void cut(FaultPlan.Cut cut) {
        members.get(cut.from()).process().cutLinkTo(cut.to(), cut.durationNs());
        if (cut.bothWays()) {
            members.get(cut.to()).process().cutLinkTo(cut.from(), cut.durationNs());
        }
        if (cut.isLasting()) {
            // A lasting cut is found one detector timeout later, and reported over the launcher's connections, which
            // are not cut.
            long reportNs = Pace.TIMING.detectorTimeoutNs() + random.between(0, Pace.LONGEST_DELAY_NS);
            world.faultAt(world.nowNs() + reportNs, () -> fenceHigherOf(cut));
        }
    }

    private void fenceHigherOf(FaultPlan.Cut cut) {
        Member higher = members.get(Math.max(cut.from(), cut.to()));
        if (members.get(cut.from()).isRunning() && members.get(cut.to()).isRunning()) {
            world.cover(UNREACHABLE);
            higher.process().endWhenAwake(SimProcess.End.FENCED);
        }
    }

    private void suspect(FaultPlan.Suspicion suspicion) {
        Member by = members.get(suspicion.by());
        Member about = members.get(suspicion.about());
        if (!by.isRunning() || !about.isRunning()) {
            return;
        }
        if (suspicion.diesAfterSends() != FaultPlan.NEVER) {
            by.process().crashAfterSends(suspicion.diesAfterSends());
        }
        by.suspect(about.id());
        world.must(new LostObituary(world, members, by, about));
    }

    /**
     * Acts as the launcher that has found out that a process has ended: tells all other members, about half of them, or
     * none, as the plan says; but all of them if the process left after a goodbye and the plan has a lasting cut.
     * {@link #plan} arranges that for all members that exist when it is called.
     */
    public void tellOthers(Member ended) {
        // A lasting cut may have swallowed the goodbye of a process, so in a plan with such a cut the launcher tells
        // all other members of the end of a process that left.
        boolean tellsAll = plan.notices() == FaultPlan.Notices.ALL
                || ended.hasLeft() && plan.cuts().stream().anyMatch(FaultPlan.Cut::isLasting);
        if (plan.notices() == FaultPlan.Notices.NONE && !tellsAll) {
            return;
        }
        for (Member member : members) {
            if (member != ended && (tellsAll || random.chance(50))) {
                long delayNs = random.between(0, random.chance(50) ? longestNoticeNs : longestNoticeNs / 50);
                world.faultAt(world.nowNs() + delayNs, () -> member.learnOfEnd(ended));
            }
        }
    }
}
