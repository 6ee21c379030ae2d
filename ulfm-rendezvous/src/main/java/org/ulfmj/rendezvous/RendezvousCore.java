package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.transport.MemberRecord;

/**
 * Gathers the processes of a static world and then speaks for the launcher: all of them join, or every one of them is
 * told why not.
 *
 * <pre>
 *   JOINABLE --all slots taken--> FROZEN(round) --all confirmed--> FINAL
 *      |                             |                              |
 *      +--- join time-out, death ----+--- confirm time-out, death   +--- abort
 *      v                             v                              v
 *    CLOSED: everyone who joined, or ever joins, is told OUT and why
 * </pre>
 *
 * <p>Slots are the launcher's and nobody is replaced yet, so one process that is missing for good closes the world.
 * Processes are told apart by their nonces. A process that is known gets the present answer to every repeated Join, so
 * lost answers and broken connections cost nothing. What is true for good (a death, a departure, a fence, an abort) is
 * told again to everyone who joins again.
 *
 * <p>The core declares nobody dead: it is told, by whoever has the proof. Pure and single-threaded; the address of a
 * process is its nonce; messages to a process without a connection may be lost.
 */
public final class RendezvousCore implements Protocol<Long, RendezvousMessage> {
    /** Where the gathering stands. */
    public enum Phase {
        JOINABLE,
        FROZEN,
        FINAL,
        CLOSED
    }

    /** A process that holds a slot. */
    private static final class Seat {
        final MemberRecord member;
        final SortedSet<Integer> reached = new TreeSet<>();
        boolean confirmed;
        boolean saidGoodbye;

        /** Its process is proven to have ended. */
        boolean ended;

        String fence;

        Seat(MemberRecord member) {
            this.member = member;
        }
    }

    private final RunSpec run;
    private final ServerListener listener;
    private final KeyValueStore store = new KeyValueStore();
    private final SortedMap<Long, Seat> seats = new TreeMap<>();
    private final SortedMap<Integer, Seat> bySlot = new TreeMap<>();

    /** Those who got no seat, and why: the same answer for ever. */
    private final SortedMap<Long, RendezvousMessage.Out> refused = new TreeMap<>();

    /** Slots whose process ended before the world ran, and the sentence that says so. */
    private final SortedMap<Integer, String> endedEarly = new TreeMap<>();

    /** Deaths and departures in the order they were told. */
    private final List<RendezvousMessage> sticky = new ArrayList<>();

    private Phase phase = Phase.JOINABLE;
    private int round;
    private int unconfirmed;

    /** For the others to join, later for all to confirm. */
    private long deadlineNs = Long.MAX_VALUE;

    private RendezvousMessage.Out closed;
    private RendezvousMessage.Abort aborted;

    /** @param listener is called within the steps of this object, and must not call it */
    public RendezvousCore(RunSpec run, ServerListener listener) {
        this.run = run;
        this.listener = listener;
    }

    public Phase phase() {
        return phase;
    }

    @Override
    public void onMessage(Long nonce, RendezvousMessage message, long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (message instanceof RendezvousMessage.Join join) {
            onJoin(nonce, join, nowNs, out);
            return;
        }
        Seat seat = seats.get(nonce);
        if (seat == null) {
            // A stranger, or one that was refused: it may not have heard so yet.
            return;
        }
        if (message instanceof RendezvousMessage.Confirm confirm) {
            onConfirm(seat, confirm, out);
        } else if (message instanceof RendezvousMessage.Put put) {
            store.put(nonce, put, out);
        } else if (message instanceof RendezvousMessage.Get get) {
            store.get(nonce, get, out);
        } else if (phase == Phase.FINAL) {
            onRunning(seat, message, out);
        } else if (message instanceof RendezvousMessage.Abort abort) {
            listener.onAbort(seat.member.id(), abort.code(), abort.reason());
        }
    }

    private void onJoin(long nonce, RendezvousMessage.Join join, long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (seats.containsKey(nonce)) {
            answerPresent(seats.get(nonce), out);
            return;
        }
        RendezvousMessage.Out refusal = refused.get(nonce);
        if (refusal == null) {
            refusal = refusalOf(join.member());
        }
        if (refusal != null) {
            refused.put(nonce, refusal);
            out.send(nonce, refusal);
            return;
        }
        if (seats.isEmpty()) {
            deadlineNs = nowNs + run.joinTimeoutNs();
        }
        Seat seat = new Seat(join.member());
        seats.put(nonce, seat);
        bySlot.put(join.member().id().slot(), seat);
        listener.onJoined(join.member().id());
        if (!endedEarly.isEmpty()) {
            close(OutReason.CLOSED, endedEarly.get(endedEarly.firstKey()), out);
        } else if (bySlot.size() == run.size()) {
            freeze(nowNs, out);
        }
    }

    /** Why a process gets no seat; null if it gets one. */
    private RendezvousMessage.Out refusalOf(MemberRecord member) {
        if (closed != null) {
            return closed;
        }
        int slot = member.id().slot();
        if (slot >= run.size()) {
            return out(OutReason.REFUSED, "rank " + slot + " wants to join a world of " + run.size() + " ranks");
        }
        Seat taken = bySlot.get(slot);
        if (taken != null) {
            return out(
                    OutReason.FENCED,
                    "rank " + slot + " has joined already, as process " + taken.member.pid() + "; process "
                            + member.pid() + " cannot join as the same rank");
        }
        if (member.id().incarnation() != 0) {
            return out(OutReason.FENCED, "process " + member.id() + " cannot join: nobody is replaced in this world");
        }
        return null;
    }

    private void answerPresent(Seat seat, Outbox<Long, RendezvousMessage> out) {
        if (phase == Phase.CLOSED) {
            sendClosed(seat, out);
        } else if (phase == Phase.FINAL) {
            sendWorld(seat, out);
        } else if (phase == Phase.FROZEN && !seat.confirmed) {
            out.send(seat.member.nonce(), new RendezvousMessage.Table(round, table()));
        } else if (phase == Phase.FROZEN) {
            out.send(seat.member.nonce(), new RendezvousMessage.Wait(round));
        }
    }

    private void freeze(long nowNs, Outbox<Long, RendezvousMessage> out) {
        phase = Phase.FROZEN;
        round++;
        unconfirmed = bySlot.size();
        deadlineNs = nowNs + run.confirmTimeoutNs();
        sendAll(new RendezvousMessage.Table(round, table()), out);
    }

    private void onConfirm(Seat seat, RendezvousMessage.Confirm confirm, Outbox<Long, RendezvousMessage> out) {
        if (phase != Phase.FROZEN || confirm.round() != round) {
            answerPresent(seat, out);
            return;
        }
        if (seat.confirmed) {
            return;
        }
        seat.confirmed = true;
        unconfirmed--;
        if (unconfirmed == 0) {
            phase = Phase.FINAL;
            deadlineNs = Long.MAX_VALUE;
            sendAll(new RendezvousMessage.Final(round, 0, table()), out);
            listener.onFinal();
        }
    }

    private void onRunning(Seat seat, RendezvousMessage message, Outbox<Long, RendezvousMessage> out) {
        ProcessId from = seat.member.id();
        if (message instanceof RendezvousMessage.Goodbye goodbye) {
            if (!seat.saidGoodbye) {
                seat.saidGoodbye = true;
                listener.onGoodbye(from, goodbye.heldForFailed());
            }
            out.send(seat.member.nonce(), new RendezvousMessage.GoodbyeHeard());
        } else if (message instanceof RendezvousMessage.Reached point) {
            if (seat.reached.add(point.rule())) {
                listener.onReached(from, point.rule());
            }
        } else if (message instanceof RendezvousMessage.Unreachable unreachable) {
            onUnreachable(seat, unreachable.process(), out);
        } else if (message instanceof RendezvousMessage.Abort abort) {
            listener.onAbort(from, abort.code(), abort.reason());
        } else if (message instanceof RendezvousMessage.Waits waits) {
            listener.onWaits(from, waits.request(), waits.report());
        }
    }

    /** Asks a member of a running world whom it waits for. One that has no connection now will not answer. */
    public void onAskWaits(ProcessId process, long request, Outbox<Long, RendezvousMessage> out) {
        Seat seat = bySlot.get(process.slot());
        if (phase == Phase.FINAL && seat != null && seat.member.id().equals(process) && !seat.ended) {
            out.send(seat.member.nonce(), new RendezvousMessage.AskWaits(request));
        }
    }

    /** Of two that count as live and cannot reach each other, the higher slot ends: one must, and all must agree who. */
    private void onUnreachable(Seat from, ProcessId process, Outbox<Long, RendezvousMessage> out) {
        Seat about = bySlot.get(process.slot());
        if (about == null || !about.member.id().equals(process) || about == from || !isLive(from) || !isLive(about)) {
            return;
        }
        listener.onUnreachable(from.member.id(), process);
        Seat higher = from.member.id().slot() > process.slot() ? from : about;
        Seat lower = higher == from ? about : from;
        fence(higher, "rank " + lower.member.id() + " and this rank can not reach each other", out);
    }

    private static boolean isLive(Seat seat) {
        return !seat.ended && !seat.saidGoodbye && seat.fence == null;
    }

    /**
     * A process has ended, and that is proven. In a running world all members are told of its death, or of its departure
     * if it had said goodbye; before, the world can not become complete any more.
     *
     * @param reason in plain words: "killed by signal 9"
     */
    public void onEnded(ProcessId process, String reason, Outbox<Long, RendezvousMessage> out) {
        Seat seat = bySlot.get(process.slot());
        boolean isMember = seat != null && seat.member.id().equals(process);
        if (phase == Phase.FINAL && isMember) {
            end(seat, seat.saidGoodbye, reason, out);
        }
        if (phase != Phase.JOINABLE && phase != Phase.FROZEN) {
            return;
        }
        String when = isMember ? " ended in MPI.Init (" : " ended before MPI.Init (";
        String text = "rank " + process.slot() + when + reason + ")";
        endedEarly.putIfAbsent(process.slot(), text);
        if (!seats.isEmpty()) {
            close(OutReason.CLOSED, text, out);
        }
    }

    /** As {@link #onEnded} for a process whose goodbye is known from elsewhere. */
    public void onDeparted(ProcessId process, Outbox<Long, RendezvousMessage> out) {
        Seat seat = bySlot.get(process.slot());
        if (phase == Phase.FINAL && seat != null && seat.member.id().equals(process)) {
            seat.saidGoodbye = true;
            end(seat, true, "", out);
        }
    }

    private void end(Seat seat, boolean departed, String reason, Outbox<Long, RendezvousMessage> out) {
        if (seat.ended) {
            return;
        }
        seat.ended = true;
        store.forget(seat.member.nonce());
        ProcessId process = seat.member.id();
        RendezvousMessage news =
                departed ? new RendezvousMessage.Departed(process) : new RendezvousMessage.Death(process, reason);
        sticky.add(news);
        sendAll(news, out);
        if (!departed) {
            // What ended is what the launcher started; a process that it left behind must not go on as this rank.
            seat.fence = "the process that was started as rank " + process + " has ended";
            out.send(seat.member.nonce(), new RendezvousMessage.Fence(seat.fence));
        }
    }

    /** A member is to end itself. Told again if it joins again; without effect on one that has ended. */
    public void onFence(ProcessId process, String reason, Outbox<Long, RendezvousMessage> out) {
        Seat seat = bySlot.get(process.slot());
        if (seat != null && seat.member.id().equals(process) && !seat.ended && seat.fence == null) {
            fence(seat, reason, out);
        }
    }

    private void fence(Seat seat, String reason, Outbox<Long, RendezvousMessage> out) {
        seat.fence = reason;
        out.send(seat.member.nonce(), new RendezvousMessage.Fence(reason));
        listener.onFenced(seat.member.id(), reason);
    }

    /** The job ends: everyone who joined, or still joins, is told so. */
    public void onAbort(int code, String reason, Outbox<Long, RendezvousMessage> out) {
        if (aborted == null && phase != Phase.CLOSED) {
            aborted = new RendezvousMessage.Abort(code, reason);
            close(OutReason.CLOSED, reason, out);
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (nowNs < deadlineNs) {
            return;
        }
        if (phase == Phase.FROZEN) {
            closeUnconfirmed(out);
        } else {
            close(
                    OutReason.TIMEOUT,
                    "waited " + milliseconds(run.joinTimeoutNs()) + " (ulfm.rdzv.join) for the other ranks: state "
                            + phase + ", have " + bySlot.size() + ", need " + run.size() + ", missing "
                            + slotsWhere(false),
                    out);
        }
    }

    @Override
    public long nextDeadlineNs() {
        return deadlineNs;
    }

    private void closeUnconfirmed(Outbox<Long, RendezvousMessage> out) {
        String text = "within " + milliseconds(run.confirmTimeoutNs())
                + " (ulfm.rdzv.confirm) the table of addresses was not confirmed by " + slotsWhere(true);
        for (Seat seat : bySlot.values()) {
            if (!seat.confirmed) {
                RendezvousMessage.Out end = out(OutReason.NO_CONFIRM, text);
                refused.put(seat.member.nonce(), end);
            }
        }
        close(OutReason.CLOSED, text, out);
    }

    /** Slots that hold nobody, or nobody who has confirmed: {@code ranks 1, 3}; at most ten are listed. */
    private String slotsWhere(boolean unconfirmedOnes) {
        List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < run.size(); slot++) {
            Seat seat = bySlot.get(slot);
            if (unconfirmedOnes ? seat != null && !seat.confirmed : seat == null) {
                slots.add(slot);
            }
        }
        StringJoiner text =
                new StringJoiner(", ", slots.size() == 1 ? "rank " : "ranks ", slots.size() > 10 ? ", …" : "");
        for (Integer slot : slots.subList(0, Math.min(10, slots.size()))) {
            text.add(slot.toString());
        }
        return text.toString();
    }

    private void close(OutReason reason, String text, Outbox<Long, RendezvousMessage> out) {
        phase = Phase.CLOSED;
        deadlineNs = Long.MAX_VALUE;
        closed = out(reason, text);
        for (Seat seat : bySlot.values()) {
            if (!seat.ended) {
                sendClosed(seat, out);
            }
        }
        if (aborted == null) {
            listener.onClosed(reason, text);
        }
    }

    private void sendClosed(Seat seat, Outbox<Long, RendezvousMessage> out) {
        long nonce = seat.member.nonce();
        if (aborted != null) {
            out.send(nonce, aborted);
        } else {
            out.send(nonce, refused.getOrDefault(nonce, closed));
        }
    }

    private void sendWorld(Seat seat, Outbox<Long, RendezvousMessage> out) {
        long nonce = seat.member.nonce();
        out.send(nonce, new RendezvousMessage.Final(round, 0, table()));
        for (RendezvousMessage news : sticky) {
            out.send(nonce, news);
        }
        if (seat.saidGoodbye) {
            out.send(nonce, new RendezvousMessage.GoodbyeHeard());
        }
        if (seat.fence != null) {
            out.send(nonce, new RendezvousMessage.Fence(seat.fence));
        }
    }

    private void sendAll(RendezvousMessage message, Outbox<Long, RendezvousMessage> out) {
        for (Seat seat : bySlot.values()) {
            if (!seat.ended) {
                out.send(seat.member.nonce(), message);
            }
        }
    }

    private List<MemberRecord> table() {
        List<MemberRecord> members = new ArrayList<>(bySlot.size());
        for (Map.Entry<Integer, Seat> entry : bySlot.entrySet()) {
            members.add(entry.getValue().member);
        }
        return members;
    }

    private static RendezvousMessage.Out out(OutReason reason, String text) {
        return new RendezvousMessage.Out(reason, text);
    }

    private static String milliseconds(long ns) {
        return ns / 1_000_000 + " ms";
    }
}
