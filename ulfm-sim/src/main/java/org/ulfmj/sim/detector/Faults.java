package org.ulfmj.sim.detector;

import java.util.List;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/** Lets a fault plan happen to the members of a world, and plays the launcher that tells of ends. */
public final class Faults {
    private final Simulation world;
    private final List<? extends Member> members;
    private final FaultPlan plan;
    private final long longestNoticeNs;
    private final SeededRandom random;

    /** @param longestNoticeNs how late the launcher's word may come */
    public Faults(Simulation world, List<? extends Member> members, FaultPlan plan, long longestNoticeNs) {
        this.world = world;
        this.members = members;
        this.plan = plan;
        this.longestNoticeNs = longestNoticeNs;
        this.random = world.random("notices");
    }

    /** Schedules everything. */
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
        for (Member member : members) {
            member.process().onEnd(() -> tellOthers(member));
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

    private void tellOthers(Member ended) {
        if (plan.notices() == FaultPlan.Notices.NOBODY) {
            return;
        }
        for (Member member : members) {
            if (member != ended && (plan.notices() == FaultPlan.Notices.ALL || random.chance(50))) {
                long delayNs = random.between(0, random.chance(50) ? longestNoticeNs : longestNoticeNs / 50);
                world.faultAt(world.nowNs() + delayNs, () -> member.learnOfEnd(ended));
            }
        }
    }
}
