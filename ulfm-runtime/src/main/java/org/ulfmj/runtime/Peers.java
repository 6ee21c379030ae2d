package org.ulfmj.runtime;

import org.agrona.collections.Int2ObjectHashMap;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;

/** The processes this rank has had to do with, made when they are first needed. Under the engine lock. */
final class Peers {
    private final ProcessId me;
    private final Membership membership;
    private final long eagerCreditBytes;
    private final Int2ObjectHashMap<Peer> bySlot = new Int2ObjectHashMap<>();
    private Peer latest;

    Peers(ProcessId me, Membership membership, long eagerCreditBytes) {
        this.me = me;
        this.membership = membership;
        this.eagerCreditBytes = eagerCreditBytes;
    }

    /** The process that holds a slot of the world. */
    Peer ofSlot(int slot) {
        Peer known = latest;
        if (known != null && known.id.slot() == slot) {
            return known;
        }
        known = bySlot.get(slot);
        if (known == null) {
            known = new Peer(membership.process(slot), slot == me.slot(), eagerCreditBytes);
            bySlot.put(slot, known);
        }
        latest = known;
        return known;
    }

    /** A process, or null if it is not of this world: another incarnation, or a slot that does not exist. */
    Peer of(ProcessId process) {
        Peer known = latest;
        if (known == null || known.id.slot() != process.slot()) {
            known = bySlot.get(process.slot());
        }
        if (known != null && known.id.equals(process)) {
            latest = known;
            return known;
        }
        if (!membership.contains(process)) {
            return null;
        }
        return ofSlot(process.slot());
    }
}
