package org.ulfmj.runtime.transfer;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;

/**
 * The processes that this rank exchanges messages with: those of its first world, whose objects are made when they are
 * first needed, and those that were introduced since. Under the engine lock.
 */
final class Peers {
    private final ProcessId me;
    private final Membership first;
    private final long eagerCreditBytes;
    private final Long2ObjectHashMap<Peer> byProcess = new Long2ObjectHashMap<>();
    private Peer latest;

    /** @param first the world that this rank began in, or that it has asked to be let into */
    Peers(ProcessId me, Membership first, long eagerCreditBytes) {
        this.me = me;
        this.first = first;
        this.eagerCreditBytes = eagerCreditBytes;
        introduce(me);
    }

    /** Returns the process that has a rank of a communicator. Throws if this rank does not know the process. */
    Peer of(MessageContext communicator, int rank) {
        int slot = communicator.members.slot(rank);
        int incarnation = communicator.membership.incarnation(slot);
        Peer known = latest;
        if (known != null && known.id.slot() == slot && known.id.incarnation() == incarnation) {
            return known;
        }
        known = of(new ProcessId(slot, incarnation));
        if (known == null) {
            throw new IllegalStateException("rank " + rank + " of " + communicator + " is process "
                    + communicator.process(rank) + ", which was not introduced");
        }
        return known;
    }

    /**
     * Returns the peer object of a process. Null if this rank has nothing to do with the process: messages of such a
     * process are not for this rank.
     */
    Peer of(ProcessId process) {
        Peer known = latest;
        if (known != null && known.id.equals(process)) {
            return known;
        }
        known = byProcess.get(key(process));
        if (known == null && first.contains(process)) {
            known = add(process);
        }
        if (known != null) {
            latest = known;
        }
        return known;
    }

    /** Adds a process if it is not known yet: from now on this rank may exchange messages with it. */
    void introduce(ProcessId process) {
        if (of(process) == null) {
            add(process);
        }
    }

    /** Returns the known processes whose slot has a later process in the given world. */
    List<ProcessId> formerOf(Membership world) {
        List<ProcessId> former = new ArrayList<>();
        for (Peer peer : byProcess.values()) {
            if (peer.id.incarnation() < world.incarnation(peer.id.slot())) {
                former.add(peer.id);
            }
        }
        return former;
    }

    /** Forgets the given processes, except those of the first world, which stay known. */
    void forget(List<ProcessId> former) {
        for (ProcessId process : former) {
            if (!first.contains(process)) {
                byProcess.remove(key(process));
            }
        }
        latest = null;
    }

    private Peer add(ProcessId process) {
        Peer made = new Peer(process, process.equals(me), eagerCreditBytes);
        byProcess.put(key(process), made);
        return made;
    }

    private static long key(ProcessId process) {
        return (long) process.incarnation() << Integer.SIZE | process.slot();
    }
}
