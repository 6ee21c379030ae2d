package org.ulfmj.runtime;

import org.ulfmj.protocol.Membership;

/**
 * A communicator of all ranks whose id all of them know before they make it, as when one rank is slow to return from a
 * recovery call. A rank that makes it early sends to ranks that have not made it yet.
 */
final class EarlyCommunicator {
    private static final long ID = 77;

    private EarlyCommunicator() {}

    static Communicator make(RankRuntime rank) {
        rank.engine().enter();
        try {
            Membership members = Membership.initial(rank.world().size());
            return rank.factory().create(ID, members.slots(), members, "late");
        } finally {
            rank.engine().leave();
        }
    }
}
