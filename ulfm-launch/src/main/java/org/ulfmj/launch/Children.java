package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;

/**
 * The children of the launchers of an elastic job: which of them has which nonce, and which one the rendezvous means by
 * a name, which changes. A child is known by its number until it has joined. An end that comes before is kept, and told
 * once the nonce is known. Any thread.
 */
final class Children {
    /** The nonce of each present name: a slot, or the provisional name of a process that has none. */
    private final Map<ProcessId, Long> nonceOfName = new HashMap<>();

    private final Map<Long, ProcessId> childOfNonce = new HashMap<>();

    /** A script may start a process again that joins anew, so a child may have several nonces. */
    private final Map<ProcessId, List<Long>> noncesOfChild = new HashMap<>();

    private final Map<ProcessId, String> ends = new HashMap<>();

    /** The number that a process is told, which is never 0, for a child. */
    static int told(ProcessId child) {
        return child.slot() + 1;
    }

    /** Which child has joined. */
    static ProcessId childOf(Joiner joiner) {
        return Membership.child(Math.max(0, joiner.localIndex() - 1));
    }

    /** A process has joined. Returns how its child has ended before that; null if it has not. */
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

    /** The world has these members now, each by the slot that it has there. */
    synchronized void named(List<MemberRecord> members) {
        for (MemberRecord member : members) {
            nonceOfName.put(member.id(), member.nonce());
        }
    }

    /** Returns the child that bears a name now. */
    synchronized ProcessId of(ProcessId name) {
        ProcessId child = find(name);
        if (child == null) {
            throw new IllegalStateException("no process has joined that is called " + name);
        }
        return child;
    }

    /** Returns the child that bears a name now; null if no process that has joined does. */
    synchronized ProcessId find(ProcessId name) {
        return childOfNonce.get(nonceOfName.get(name));
    }

    /** Returns the child with a nonce. */
    synchronized ProcessId of(long nonce) {
        return childOfNonce.get(nonce);
    }

    /** The child has ended. Returns the nonces under which that must be told now. */
    synchronized List<Long> ended(ProcessId child, String reason) {
        ends.putIfAbsent(child, reason);
        return nonces(child);
    }

    /** The nonces of a child, the last one at the end; none before it has joined. */
    synchronized List<Long> nonces(ProcessId child) {
        return List.copyOf(noncesOfChild.getOrDefault(child, List.of()));
    }
}
