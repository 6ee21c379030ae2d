package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;

/**
 * Without cuts, a process that had a session with one that left in order has the leaver's goodbye, and does not take
 * the leaver's end for a failure. A process that left before the other one had called owes it no goodbye, and cannot be
 * told. If two processes leave at once, one goodbye is enough.
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
