package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;

/**
 * Invariant, at rest: if a process was marked by a peer while the peer had a good connection to it, the process was
 * told so. This is not required while the process still has a connection that was cut, or if it has ended, has marked
 * the peer itself, or has the peer's goodbye.
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
