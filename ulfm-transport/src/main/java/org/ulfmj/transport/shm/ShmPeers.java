package org.ulfmj.transport.shm;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/**
 * The other ranks of this host, at most one per slot: at first those of the start table, later also newcomers. A rank
 * in another pid namespace counts as one of another host. Under the engine lock.
 */
final class ShmPeers {
    private final ProcessId self;
    /** The {@link MemberRecord} of this rank; null before {@link #connect}. */
    private MemberRecord me;

    /** Peers by slot; null for this process and for ranks of other hosts. */
    private ShmPeer[] peers = {};

    ShmPeers(ProcessId self) {
        this.self = self;
    }

    /** Adds those ranks of the start table that are on this host. The table has this rank too, which is not added. */
    void connect(List<MemberRecord> table) {
        int slots = 0;
        for (MemberRecord member : table) {
            slots = Math.max(slots, member.id().slot() + 1);
            if (member.id().equals(self)) {
                me = member;
            }
        }
        if (me == null) {
            throw new IllegalArgumentException("rank " + self + " is not in the table of its job");
        }
        peers = new ShmPeer[slots];
        for (MemberRecord member : table) {
            if (member != me && isOnOurHost(member)) {
                peers[member.id().slot()] = new ShmPeer(member);
            }
        }
    }

    private boolean isOnOurHost(MemberRecord member) {
        return me.isOnHostOf(member) && me.process().sharesPidsWith(member.process());
    }

    /**
     * The peer of a process; null for this process, for ranks of other hosts, and for a process that does not have its
     * slot, or no longer has it.
     */
    ShmPeer find(ProcessId id) {
        ShmPeer peer = inSlot(id.slot());
        return peer != null && peer.id().equals(id) ? peer : null;
    }

    /** The process of this host that has the slot; null if there is none. */
    ShmPeer inSlot(int slot) {
        return slot < peers.length ? peers[slot] : null;
    }

    /** Whether a rank is on this host, in the same pid namespace; true for this rank itself. */
    boolean reach(ProcessId id) {
        return id.equals(self) || find(id) != null;
    }

    /** Peers in the order of slots, with null where there is none; the array is not to be changed. */
    ShmPeer[] bySlot() {
        return peers;
    }

    /** Makes the slot free for a successor. */
    void remove(ShmPeer former) {
        peers[former.id().slot()] = null;
    }

    /** Gives a free slot to a newcomer. Returns null if the slot is not free, or if the newcomer is on another host. */
    ShmPeer admit(MemberRecord member) {
        int slot = member.id().slot();
        if (slot >= peers.length) {
            peers = Arrays.copyOf(peers, slot + 1);
        }
        if (peers[slot] != null || !isOnOurHost(member)) {
            return null;
        }
        peers[slot] = new ShmPeer(member);
        return peers[slot];
    }

    /** Wakes all sleeping peers whose mailbox is open, so that they read records that were committed before. */
    void ringSleepers(Bell bell) {
        VarHandle.fullFence();
        for (ShmPeer peer : peers) {
            if (peer != null && peer.hasMailbox()) {
                peer.ringIfAsleep(bell);
            }
        }
    }
}
