package org.ulfmj.transport.shm;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/**
 * The other ranks of this host, one per slot: those of the start table, and later those that take a slot over. Under
 * the engine lock.
 */
final class ShmPeers {
    private final ProcessId self;
    /** How we described ourselves; known once {@link #connect} was called. */
    private MemberRecord me;

    /** Peers by slot; null for this process and for ranks of other hosts. */
    private ShmPeer[] peers = {};

    ShmPeers(ProcessId self) {
        this.self = self;
    }

    /** Those of the start table, which has us too. */
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
        return me.process().sharesPidsWith(member.process()) && me.host().equals(member.host());
    }

    /**
     * The peer of a process; null for this process, for ranks of other hosts, and for a process that does not have its
     * slot.
     */
    ShmPeer find(ProcessId id) {
        ShmPeer peer = inSlot(id.slot());
        return peer != null && peer.id().equals(id) ? peer : null;
    }

    /** Any process that of this host has the slot, or null. */
    ShmPeer inSlot(int slot) {
        return slot < peers.length ? peers[slot] : null;
    }

    /** Whether a rank is on our host, or ourselves. */
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

    /** Gives a free slot to a newcomer; null if it is not free, or the newcomer on another host. */
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

    /** Wakes any process that sleeps of those that something was ever sent to, for what was committed before. */
    void ringSleepers(Bell bell) {
        VarHandle.fullFence();
        for (ShmPeer peer : peers) {
            if (peer != null && peer.hasMailbox()) {
                peer.ringIfAsleep(bell);
            }
        }
    }
}
