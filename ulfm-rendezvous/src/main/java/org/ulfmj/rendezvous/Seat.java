package org.ulfmj.rendezvous;

import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;

/** A process that joined, and the core's knowledge of it. */
final class Seat {
    /** Where this process comes in the order of slots, and its provisional name; null in a static world. */
    final Joiner joiner;

    MemberRecord member;
    final SortedSet<Integer> reached = new TreeSet<>();

    /** V9: when a candidate of an elastic world has waited long enough. */
    long joinDeadlineNs = Long.MAX_VALUE;

    /** Whether the process has confirmed the table of the present round. */
    boolean confirmed;

    /** Whether the process is known to run in the present world. */
    boolean running;

    /** Whether the members were told that the process waits to be admitted. */
    boolean announced;

    /** The last roll call in which the process said that it does not run, or in which it joined. */
    int answeredCall;

    /** Whether the process joined during a roll call. It is told nothing until the roll call ends. */
    boolean held;

    boolean saidGoodbye;

    /** Whether the process said that it takes part in nothing any more. Its end may not be proven. */
    boolean hasLeft;

    /** Whether the process is proven to have ended. */
    boolean ended;

    /**
     * Whether SIGKILL is pending at the process and does not end it: it runs no instruction any more, though its end is
     * not proven.
     */
    boolean isGivenUp;

    /** Whether the process was a member and the others go on without it. Until it has ended it may run. */
    boolean excluded;

    /** Why the process is to end itself; null if it is not. */
    String fence;

    /** The refusal that the process gets as every answer from now on; null if it was not refused. */
    RendezvousMessage.Out out;

    /** What the process may not have read; null as long as there was nothing of that kind. */
    private UnheardWords unheard;

    Seat(MemberRecord member) {
        this.joiner = null;
        this.member = member;
    }

    /** @param joiner under its provisional name */
    Seat(Joiner joiner) {
        this.joiner = joiner;
        this.member = joiner.member();
    }

    ProcessId id() {
        return member.id();
    }

    long nonce() {
        return member.nonce();
    }

    UnheardWords unheard() {
        if (unheard == null) {
            unheard = new UnheardWords();
        }
        return unheard;
    }

    boolean hasUnheard() {
        return unheard != null;
    }

    /** The nonce in an elastic world, where a process is known by it; 0 in a static one, where it has one name. */
    long nonceIfNamesChange() {
        return joiner == null ? 0 : nonce();
    }

    /** Whether the process runs no more: its end is proven, or it was given up. */
    boolean isStill() {
        return ended || isGivenUp;
    }

    /**
     * Whether the process, of an elastic world, left before it was known to run. It hears that its leaving was heard,
     * and nothing else, from then on.
     */
    boolean hasLeftEarly() {
        return hasLeft && !running;
    }

    /** Whether the process may become part of a world, or is part of one. */
    boolean isHere() {
        return !ended && out == null;
    }

    /** Whether the process counts as a live member: it has said no goodbye, has not left and need not end itself. */
    boolean isLive() {
        return isHere() && !saidGoodbye && !hasLeft && fence == null;
    }
}
