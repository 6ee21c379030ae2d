package org.ulfmj.rendezvous;

import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;

/** A process that joined, and what the core knows of it. */
final class Seat {
    /**
     * The process as it joined without a slot: host order, local index and provisional name. Null in a static world.
     */
    final Joiner joiner;

    MemberRecord member;
    final SortedSet<Integer> reached = new TreeSet<>();

    /** V9: the end of the time to join of a candidate of an elastic world. */
    long joinDeadlineNs = Long.MAX_VALUE;

    /** Whether the process has confirmed the table of the present round. */
    boolean confirmed;

    /** Whether the process is known to have run in the present world; stays true when it has ended or was excluded. */
    boolean running;

    /** Whether the members were told that the process waits to be admitted. */
    boolean announced;

    /** The number of the last roll call in which the process said that it does not run, or during which it joined. */
    int answeredCall;

    /**
     * Whether the process joined during a roll call that is still open. It is told nothing until the roll call ends, or
     * the time of the roll call is over.
     */
    boolean held;

    boolean saidGoodbye;

    /** The slots that the process had marked failed when it said goodbye. */
    SlotSet heldForFailed = SlotSet.EMPTY;

    /** Whether the process said that it takes part in nothing any more. Its end may not be proven. */
    boolean hasLeft;

    /** Whether the process is proven to have ended, or counts as ended because its lease is over. */
    boolean ended;

    /**
     * Whether SIGKILL is pending at the process and does not end it: it runs no instruction any more, though its end is
     * not proven.
     */
    boolean isGivenUp;

    /** Whether the process was or claimed to be a member, and the members go on without it. It may still run. */
    boolean excluded;

    /** Why the process is to end itself; null if it is not. */
    String fence;

    /** J4: why the process was lost together with its host, in the judge's words; null if it was not lost. */
    String lostBecause;

    /** The refusal of the process; null if it was not refused. */
    RendezvousMessage.Out out;

    /** The signals and questions for the process that it may not have read; null if there never were any. */
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

    /** Appends all that a later coordinator has to know of the process. */
    void writeImage(WireWriter out) {
        if (joiner == null) {
            member.writeTo(out);
        } else {
            joiner.writeTo(out);
            out.putProcess(id());
        }
        int flags = 0;
        for (boolean flag : new boolean[] {
            confirmed, running, announced, held, saidGoodbye, hasLeft, ended, isGivenUp, excluded, unheard != null
        }) {
            flags = flags << 1 | (flag ? 1 : 0);
        }
        out.putInt(flags).putInt(answeredCall).putInt(reached.size());
        for (Integer rule : reached) {
            out.putInt(rule);
        }
        heldForFailed.writeTo(out);
        CoreImage.putMaybe(out, fence);
        CoreImage.putMaybe(out, this.out);
        if (unheard != null) {
            unheard.writeImage(out);
        }
    }

    static Seat readImage(WireReader in, boolean isElastic) {
        Seat seat;
        if (isElastic) {
            seat = new Seat(Joiner.readFrom(in));
            seat.member = seat.member.named(in.getProcess());
        } else {
            seat = new Seat(MemberRecord.readFrom(in));
        }
        int flags = in.getInt();
        seat.confirmed = (flags & 1 << 9) != 0;
        seat.running = (flags & 1 << 8) != 0;
        seat.announced = (flags & 1 << 7) != 0;
        seat.held = (flags & 1 << 6) != 0;
        seat.saidGoodbye = (flags & 1 << 5) != 0;
        seat.hasLeft = (flags & 1 << 4) != 0;
        seat.ended = (flags & 1 << 3) != 0;
        seat.isGivenUp = (flags & 1 << 2) != 0;
        seat.excluded = (flags & 1 << 1) != 0;
        seat.answeredCall = in.getInt();
        int rules = in.getInt();
        in.requireCount(rules, Integer.BYTES, "rules");
        for (int i = 0; i < rules; i++) {
            seat.reached.add(in.getInt());
        }
        seat.heldForFailed = SlotSet.readFrom(in);
        seat.fence = CoreImage.getMaybe(in);
        seat.out = CoreImage.getMaybeOut(in);
        if ((flags & 1) != 0) {
            seat.unheard().readImage(in);
        }
        return seat;
    }

    ProcessId id() {
        return member.id();
    }

    /**
     * The name that the process keeps for good: in an elastic world its provisional one, which no other process ever
     * gets; in a static world its only name.
     */
    ProcessId lastingName() {
        return joiner == null ? id() : joiner.member().id();
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

    /** The nonce in an elastic world, where names change; 0 in a static one. */
    long nonceIfNamesChange() {
        return joiner == null ? 0 : nonce();
    }

    /** Whether the process runs no instruction any more: it counts as ended, or it was given up. */
    boolean isStill() {
        return ended || isGivenUp;
    }

    /**
     * Whether the process, of an elastic world, left before it was known to run. From then on it is only told that its
     * leaving was heard.
     */
    boolean hasLeftEarly() {
        return hasLeft && !running;
    }

    /** Whether the process is in a world or may get into one: it has not ended and was not refused. */
    boolean isHere() {
        return !ended && out == null;
    }

    /**
     * Whether the process counts as live: it has not ended, was not refused, has said no goodbye, has not left and need
     * not end itself.
     */
    boolean isLive() {
        return isHere() && !saidGoodbye && !hasLeft && fence == null;
    }
}
