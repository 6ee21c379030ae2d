package org.ulfmj.check.rendezvous.elected;

import java.util.List;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.transport.MemberRecord;

/**
 * At rest, if the launcher lives, it has the office; if only other candidates live and any process has run in a world,
 * one of these has it. If a candidate has the office, every live process is connected to it, and runs in a world of
 * which it knows all ends, or waits for a world, or was told why it does neither.
 */
record TheOfficeIsFilled(Simulation world, List<Coordinator> candidates, List<Member> members) implements Invariant {
    @Override
    public String open() {
        Coordinator inOffice = null;
        boolean isAnyLeft = false;
        boolean isLauncherLeft = false;
        for (Coordinator candidate : candidates) {
            inOffice = candidate.isInOffice() ? candidate : inOffice;
            isAnyLeft |= candidate.process().isRunning();
            isLauncherLeft |= candidate.process().isRunning() && candidate.isLauncher();
        }
        if (!isAnyLeft) {
            return null;
        }
        if (inOffice == null) {
            return hasBegun() ? "no process has the office" : isLauncherLeft ? "the job has not begun" : null;
        }
        if (isLauncherLeft && !inOffice.isLauncher()) {
            return inOffice.process() + " has the office, and the launcher lives";
        }
        for (Member member : members) {
            String open = member.process().isRunning() ? openOf(member, inOffice) : null;
            if (open != null) {
                return member.process() + " " + open;
            }
        }
        return null;
    }

    /**
     * Whether any process has ever run in a world: if the launcher ends before that, there may be no job to go on with.
     */
    private boolean hasBegun() {
        return members.stream().anyMatch(member -> member.dials() > 0 && member.wasRunning());
    }

    private String openOf(Member member, Coordinator inOffice) {
        if (member.target() != inOffice.node()) {
            return "has its line to " + member.target() + ", the office is at " + inOffice.process();
        }
        if (!member.isSettled()) {
            return "neither runs nor waits nor was told why not";
        }
        for (MemberRecord record : member.isRunning() ? member.table() : List.<MemberRecord>of()) {
            if (isEnded(record) && !member.knowsEndOf(record.id())) {
                return "was not told of the end of " + record.id();
            }
        }
        return null;
    }

    private boolean isEnded(MemberRecord record) {
        return members.stream()
                .anyMatch(member ->
                        member.node() == record.nonce() && !member.process().isRunning());
    }

    @Override
    public void atEnd() {
        for (Member member : members) {
            if (member.wasRunning()) {
                world.cover(member.round() == 1 ? "a world ran" : "a later round ran");
            }
            if (member.dials() > 1 && member.isRunning()) {
                world.cover("a member went over to another coordinator");
            }
            if (member.process().end() == SimProcess.End.LEFT && member.whyNot() == null) {
                world.cover("a goodbye was heard");
            }
        }
    }
}
