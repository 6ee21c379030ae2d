package org.ulfmj.runtime;

import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.host.HostCollectives;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.runtime.member.RankIdentity;

/**
 * The world that this rank is in: its COMM_WORLD and COMM_SELF, and how the next world that the members agree on takes
 * its place. Changed inside the engine; may be asked by any thread.
 */
final class CurrentWorld {
    private final RankEngine engine;
    private final CommunicatorIds ids;
    private final CommunicatorFactory factory;
    private final HostCollectives hostCollectives;

    private volatile Communicator world;
    private volatile Communicator self;

    CurrentWorld(RankEngine engine, CommunicatorIds ids, CommunicatorFactory factory, HostCollectives hostCollectives) {
        this.engine = engine;
        this.ids = ids;
        this.factory = factory;
        this.hostCollectives = hostCollectives;
    }

    /** This rank's COMM_WORLD; null at a newcomer that is not admitted yet. */
    Communicator world() {
        return world;
    }

    Communicator self() {
        return self;
    }

    /**
     * Begins in the first world of the job, or in the world of the processes that the launcher has gathered after all
     * members of an earlier world have ended.
     */
    void begin(RankIdentity identity) {
        Membership first = identity.members();
        long id = first.epoch() == 0
                ? ids.world(first.slots())
                : Contacts.gathered(identity.table(), ids).world();
        enter(id, first);
    }

    /**
     * Goes on in the world that the members have agreed on. The COMM_WORLD before is given up, as all other members
     * give it up: operations on it end as if it were revoked. Communicators made from it are not freed: the program may
     * still shrink and free them.
     */
    Communicator enter(Admission admission) {
        Communicator before = world;
        Membership members = engine.control().membership();
        if (members.epoch() != admission.epoch()) {
            throw new IllegalStateException(members + " is in force, and not " + admission);
        }
        enter(admission.world(), members);
        if (before != null) {
            CommunicatorState old = engine.communicators().get(before.id());
            engine.verdicts().onRevoked(old.id());
            hostCollectives.freed(old.hostShare);
            engine.free(old);
        }
        return world;
    }

    private void enter(long id, Membership members) {
        ProcessId me = engine.id();
        world = factory.create(id, members.slots(), members, "COMM_WORLD");
        if (self == null) {
            self = factory.create(ids.self(me), SlotRuns.of(me.slot()), members, "COMM_SELF");
        }
    }
}
