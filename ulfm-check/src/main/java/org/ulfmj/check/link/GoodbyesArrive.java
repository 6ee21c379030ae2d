package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;

/**
 * At rest, without cuts: if a process has left in order and has said goodbye to another process, the other one has that
 * goodbye. This is not required if the leaver has marked the other one failed or has the goodbye of the other one; nor
 * if the other one has crashed, has no session with the leaver, has marked the leaver failed while the leaver ran, was
 * told that the leaver has marked it, or is leaving or has left without having said goodbye to the leaver.
 */
record GoodbyesArrive(LinkWorld world) implements Invariant {
    @Override
    public String open() {
        for (LinkHost left : world.hosts()) {
            if (left.process().end() != SimProcess.End.LEFT) {
                continue;
            }
            for (PeerLink link : left.links()) {
                PeerLink theirs = world.linkOf(link.peer(), left.identity());
                if (link.saidGoodbye()
                        && !link.hasMarked()
                        && !link.hasDeparted()
                        && theirs != null
                        && misses(theirs)) {
                    return theirs.host() + " has no goodbye of " + left;
                }
            }
        }
        return null;
    }

    private static boolean misses(PeerLink link) {
        boolean couldHear = link.host().process().end() != SimProcess.End.CRASHED
                && (!link.host().isLeaving() || link.saidGoodbye());
        return couldHear && !link.hasDeparted() && !link.markedBeforeEnd() && !link.isExcluded();
    }
}
