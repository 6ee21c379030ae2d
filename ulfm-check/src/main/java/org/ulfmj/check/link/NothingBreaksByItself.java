package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Without a cut, a failing dial, a death, a mark or a time limit that was too short, no session reports its peer lost,
 * even if dials cross and processes leave. The only exception is a peer that is leaving or has left, and has not said
 * goodbye to the process.
 */
record NothingBreaksByItself(LinkWorld world) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (PeerLink link : world.hosts().get(process.node()).links()) {
            PeerLink theirs = world.linkOf(link.peer(), link.host().identity());
            boolean calledTooLate = theirs.host().isLeaving() && !theirs.saidGoodbye();
            if (link.wasLost() && !calledTooLate) {
                throw new Violation(name() + ": " + link);
            }
        }
    }
}
