package org.ulfmj.rendezvous;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.transport.MemberRecord;

/**
 * The processes that get no seat ({@link Seat}), each with the reason. A process whose refusal is kept here gets it
 * again when it asks again. Once the gathering is closed no further process gets a seat. Not thread-safe; part of the
 * core.
 */
final class Refusals {
    private final RunSpec run;
    private final Roster roster;
    private final Incarnations incarnations;
    private final Spares spares;
    private final RunningWorld world;

    private final SortedMap<Long, RendezvousMessage.Out> refused = new TreeMap<>();
    private RendezvousMessage.Out closed;
    private RendezvousMessage.Abort aborted;

    /** How many processes may get a seat in an elastic world, those that have ended included. */
    private int mostJoined = Integer.MAX_VALUE;

    Refusals(RunSpec run, Roster roster, Incarnations incarnations, Spares spares, RunningWorld world) {
        this.run = run;
        this.roster = roster;
        this.incarnations = incarnations;
        this.spares = spares;
        this.world = world;
    }

    /** As {@link RendezvousCore#limitJoins}. */
    void limitJoins(int most) {
        mostJoined = most;
    }

    void writeImage(WireWriter out) {
        out.putInt(refused.size());
        for (SortedMap.Entry<Long, RendezvousMessage.Out> entry : refused.entrySet()) {
            out.putLong(entry.getKey());
            CoreImage.putMaybe(out, entry.getValue());
        }
        CoreImage.putMaybe(out, closed);
        CoreImage.putMaybe(out, aborted);
    }

    void readImage(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Long.BYTES, "refusals");
        for (int i = 0; i < count; i++) {
            long nonce = in.getLong();
            refused.put(nonce, CoreImage.getMaybeOut(in));
        }
        closed = CoreImage.getMaybeOut(in);
        aborted = (RendezvousMessage.Abort) CoreImage.getMaybeMessage(in);
    }

    /**
     * Returns the refusal for a process that asks for a seat; null if it may have one.
     *
     * @param isSlotless whether the process joins without a slot
     */
    RendezvousMessage.Out ofProcess(long nonce, MemberRecord member, boolean isSlotless) {
        RendezvousMessage.Out known = refused.get(nonce);
        if (known != null) {
            return known;
        }
        RendezvousMessage.Out refusal = judge(member, isSlotless);
        if (refusal == null && isSlotless && roster.joined() >= mostJoined) {
            // This refusal is not remembered, as there is no room for it either.
            return out(
                    OutReason.REFUSED,
                    roster.joined() + " processes have joined this job since it began, and its coordinator can keep no"
                            + " more of them in etcd; start another job");
        }
        return remembered(nonce, refusal);
    }

    private RendezvousMessage.Out judge(MemberRecord member, boolean isSlotless) {
        if (closed != null) {
            return closed;
        }
        if (isSlotless != run.isElastic()) {
            String how = isSlotless ? "without a slot" : "as rank " + member.id();
            String instead = isSlotless ? "whose ranks have their slots" : "that gives slots itself";
            return out(
                    OutReason.REFUSED,
                    "process " + member.process().pid() + " wants to join " + how + " a world " + instead);
        }
        if (isSlotless) {
            return world.over();
        }
        int slot = member.id().slot();
        if (slot >= run.size()) {
            return out(OutReason.REFUSED, "rank " + slot + " wants to join a world of " + run.size() + " ranks");
        }
        Seat taken = roster.of(member.id());
        if (taken != null) {
            return out(
                    OutReason.FENCED,
                    "rank " + member.id() + " has joined already, as process "
                            + taken.member.process().pid() + "; process "
                            + member.process().pid() + " cannot join as the same rank");
        }
        if (world.over() != null) {
            return world.over();
        }
        String why = incarnations.refusal(member.id(), member.process().pid());
        return why == null ? null : out(OutReason.FENCED, why);
    }

    /** Returns the refusal for a process that calls as a spare; null if it is not refused, or has a seat already. */
    RendezvousMessage.Out ofSpare(long nonce, int number) {
        RendezvousMessage.Out known = refused.get(nonce);
        return known != null || roster.of(nonce) != null ? known : remembered(nonce, judgeSpare(nonce, number));
    }

    private RendezvousMessage.Out judgeSpare(long nonce, int number) {
        if (closed != null) {
            return closed;
        }
        if (world.over() != null) {
            return world.over();
        }
        if (run.isElastic()) {
            return out(OutReason.REFUSED, "spare " + number + " wants to join a world that takes no numbered spares");
        }
        return spares.isTaken(number, nonce)
                ? out(OutReason.REFUSED, "spare " + number + " has come already, as another process")
                : null;
    }

    private RendezvousMessage.Out remembered(long nonce, RendezvousMessage.Out refusal) {
        if (refusal != null) {
            refused.put(nonce, refusal);
        }
        return refusal;
    }

    /** Refuses a spare that has called and has not joined, because the world is over. */
    void refuse(long nonce, RendezvousMessage.Out over, Outbox<Long, RendezvousMessage> out) {
        refused.put(nonce, over);
        out.send(nonce, over);
    }

    /** Notes that the job is aborted: {@link #tellClosed} sends this abort from now on. */
    void abort(RendezvousMessage.Abort end) {
        aborted = end;
    }

    boolean isAborted() {
        return aborted != null;
    }

    /** The abort of the job; null if it was not aborted. */
    RendezvousMessage.Abort aborted() {
        return aborted;
    }

    /** The refusal with which the gathering was closed; null while it is not closed. */
    RendezvousMessage.Out closed() {
        return closed;
    }

    /**
     * Gives no process a seat from now on. Sends its final answer to each spare that has called, and to each process
     * with a seat that has neither ended nor left early: the abort of the job, its own refusal, or that the gathering
     * is closed.
     */
    void close(RendezvousMessage.Out end, Outbox<Long, RendezvousMessage> out) {
        closed = end;
        for (Seat seat : roster.all()) {
            if (!seat.ended && !seat.hasLeftEarly()) {
                tellClosed(seat.nonce(), out);
            }
        }
        for (Long spare : spares.takeAll()) {
            refused.putIfAbsent(spare, closed);
            tellClosed(spare, out);
        }
    }

    void tellClosed(long nonce, Outbox<Long, RendezvousMessage> out) {
        Seat seat = roster.of(nonce);
        if (aborted != null) {
            out.send(nonce, aborted);
        } else {
            out.send(nonce, seat != null && seat.out != null ? seat.out : closed);
        }
    }

    private static RendezvousMessage.Out out(OutReason reason, String text) {
        return new RendezvousMessage.Out(reason, text);
    }
}
