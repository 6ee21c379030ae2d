package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;

/** A process that is marked by a peer over a good connection is told so over that connection. */
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
                } else if (!theirs.hasMarked() && !theirs.hasDeparted()) {
                    return theirs.host() + " has not heard that " + host + " holds it for failed";
                }
            }
        }
        return null;
    }
}
