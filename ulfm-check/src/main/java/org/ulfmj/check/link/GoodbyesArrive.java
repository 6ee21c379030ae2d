package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;

/**
 * At rest, without cuts: if a process has left in order and had a session with another process, the other has its
 * goodbye, so that it does not take the end of the leaver for a failure. This is not required if the other has crashed,
 * or if one of the two has marked the other failed. If a process left before the other one had dialed it, it need not
 * say goodbye to the other. If two processes leave at the same time, one of their two goodbyes is enough.
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
