package org.ulfmj.rendezvous;

import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/** A process that joined, and what the core knows of it. */
final class Seat {
    final MemberRecord member;
    final SortedSet<Integer> reached = new TreeSet<>();

    /** Has confirmed the table of the present round. */
    boolean confirmed;

    /** Is known to run in the present world. */
    boolean running;

    /** The members were told that it waits for them. */
    boolean announced;

    /** The last roll call in which it said that it does not run, or in which it was new. */
    int answeredCall;

    /** Came in a roll call, and is told nothing until it ends. */
    boolean held;

    boolean saidGoodbye;

    /** Its process is proven to have ended. */
    boolean ended;

    /** SIGKILL waits for it and does not end it: it runs no instruction any more, though its end is not proven. */
    boolean isGivenUp;

    /** Was a member, and the others go on without it: until it has ended it may run. */
    boolean excluded;

    /** Why it is to end itself; null if it is not. */
    String fence;

    /** What it was told for good: the same answer for ever; null if nothing. */
    RendezvousMessage.Out out;

    Seat(MemberRecord member) {
        this.member = member;
    }

    ProcessId id() {
        return member.id();
    }

    long nonce() {
        return member.nonce();
    }

    /** Whether it runs no more, whether or not that is all that is known. */
    boolean isStill() {
        return ended || isGivenUp;
    }

    /** Whether it may still become, or be, part of a world. */
    boolean isHere() {
        return !ended && out == null;
    }

    /** Whether it counts as a member with a say. */
    boolean isLive() {
        return isHere() && !saidGoodbye && fence == null;
    }
}
