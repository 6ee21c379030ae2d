package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;

/**
 * Invariant: if a process is marked by a peer over a good connection, it is told so, over that connection or at its
 * next dial, which it makes even without a frame to send. It cannot learn of the mark before it has noticed that the
 * connection was cut, and need not learn of it if it has ended, has marked the peer itself, or has the peer's goodbye.
 */
record TheMarkedAreTold(LinkWorld world) implements Invariant {
    @Override
    public String open() {
        for (LinkHost host : world.hosts()) {
            for (PeerLink link : host.links()) {
                PeerLink theirs = world.linkOf(link.peer(), host.identity());
                if (!link.wasAdoptedAtMark() || theirs == null || !theirs.host().isRunning()) {
                    continue;
                }
                if (theirs.isExcluded()) {
                    world.simulation().cover(LinkWorld.TOLD);
                } else if (!theirs.hasMarked() && !theirs.hasDeparted() && !isDeaf(theirs)) {
                    return theirs.host() + " has not heard that " + host + " holds it for failed";
                }
            }
        }
        return null;
    }

    private static boolean isDeaf(PeerLink link) {
        Connection.End adopted = link.session().adopted();
        return adopted != null && adopted.connection().isCut();
    }
}
