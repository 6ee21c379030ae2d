package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;

/**
 * The children of the launchers of an elastic job: which child has which nonce, and which child the rendezvous means by
 * a name, since a process's name changes. A child is known by its number until it has joined. The end of a child that
 * comes before is kept, and told to the rendezvous once the nonce is known. Any thread.
 */
final class Children {
    /**
     * The nonce of the process that got each name last. A name is a slot, or the provisional name of a process that has
     * none.
     */
    private final Map<ProcessId, Long> nonceOfName = new HashMap<>();

    private final Map<Long, ProcessId> childOfNonce = new HashMap<>();

    /** The nonces of each child. A script may start a process again that joins anew, so a child may have several. */
    private final Map<ProcessId, List<Long>> noncesOfChild = new HashMap<>();

    private final Map<ProcessId, String> ends = new HashMap<>();

    /** Returns the number of a child as the process itself is told it, which is never 0. */
    static int told(ProcessId child) {
        return child.slot() + 1;
    }

    /** Which child has joined. */
    static ProcessId childOf(Joiner joiner) {
        return Membership.child(Math.max(0, joiner.localIndex() - 1));
    }

    /** Notes that a process has joined. Returns how its child has ended before that; null if it has not ended. */
    synchronized String arrived(Joiner joiner) {
        ProcessId child = childOf(joiner);
        nonceOfName.put(joiner.member().id(), joiner.nonce());
        childOfNonce.put(joiner.nonce(), child);
        List<Long> nonces = noncesOfChild.get(child);
        if (nonces == null) {
            nonces = new ArrayList<>();
            noncesOfChild.put(child, nonces);
        }
        nonces.add(joiner.nonce());
        return ends.get(child);
    }

    /** Notes that the world has these members now, each named by the slot that it has there. */
    synchronized void named(List<MemberRecord> members) {
        for (MemberRecord member : members) {
            nonceOfName.put(member.id(), member.nonce());
        }
    }

    /** Returns the child that has this name now; throws if no process that has joined has it. */
    synchronized ProcessId of(ProcessId name) {
        ProcessId child = find(name);
        if (child == null) {
            throw new IllegalStateException("no process has joined that is called " + name);
        }
        return child;
    }

    /** Returns the child that has this name now; null if no process that has joined has it. */
    synchronized ProcessId find(ProcessId name) {
        return childOfNonce.get(nonceOfName.get(name));
    }

    /** Returns the child with a nonce; null if no process that has joined has it. */
    synchronized ProcessId of(long nonce) {
        return childOfNonce.get(nonce);
    }

    /**
     * Notes that the child has ended. Returns the nonces of the child, under which the rendezvous must be told of the
     * end now.
     */
    synchronized List<Long> ended(ProcessId child, String reason) {
        ends.putIfAbsent(child, reason);
        return nonces(child);
    }

    /** Returns the nonces of a child, the latest one last; none before it has joined. */
    synchronized List<Long> nonces(ProcessId child) {
        return List.copyOf(noncesOfChild.getOrDefault(child, List.of()));
    }
}
