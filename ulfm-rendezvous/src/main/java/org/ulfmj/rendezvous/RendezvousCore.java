package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreWelcome;
import org.ulfmj.transport.MemberRecord;

/**
 * Gathers the processes of a world and then speaks for the launcher. In a static world all join, or those that have
 * joined are told why the world does not begin; in an elastic world as many join as come in time. Once the world runs,
 * processes that join are newcomers, which its members may admit.
 *
 * <pre>
 *   JOINABLE --all slots taken--> FROZEN(round) --all confirmed--> FINAL <--> ROLLCALL
 *    |    ^                         |       |                        |            |
 *    |    +--- death, and it will --+       |                        |            |
 *    |    ^     be started again            |                        |            |
 *    |    +---------------------------------+----- all are dead -----+------------+
 *    +--- static: join time-out, death  ----+--- static: confirm time-out, death
 *    v                                      v
 *    CLOSED: the processes that joined, and those that join later, are told to end, and why
 * </pre>
 *
 * <p>In a static world with restarts a confirm time-out leads back to JOINABLE. In an elastic world LAST_CALL is
 * between JOINABLE and FROZEN: there are enough processes, and more may come. No death and no time-out closes an
 * elastic world: a candidate that has waited long enough is told so, and the others wait on.
 *
 * <p>Slots and incarnations of a static world are the launcher's. Processes are told apart by their nonces. A process
 * that joins again gets the present answer, if there is one.
 *
 * <p>The caller of the core tells it of each end of a process that is proven. In a job with leases the core also takes
 * a process of a lost host for ended once its lease is over. Pure and single-threaded; the address of a process is its
 * nonce; messages to a process without a connection may be lost.
 */
public final class RendezvousCore implements Protocol<Long, RendezvousMessage> {
    /** Where the gathering stands. */
    public enum Phase {
        JOINABLE,
        /** Enough processes have joined for a world, and more may join for a while. */
        LAST_CALL,
        FROZEN,
        FINAL,
        /**
         * No process is known to run in the world any more, and the processes that may run without the core's knowledge
         * are asked whether they run.
         */
        ROLLCALL,
        CLOSED
    }

    private final RunSpec run;
    private final ServerListener listener;
    private final StoreDesk store;
    private final Roster roster;
    private final Incarnations incarnations;
    private final Spares spares = new Spares();
    private final RunningWorld world;
    private final Refusals refusals;
    private final Returns returns;

    /** Null in a static world. */
    private final Candidates candidates;

    private Phase phase = Phase.JOINABLE;
    private int round;
    private int unconfirmed;

    /** The end of the time to join or of the last call; once the round is frozen, the end of the time to confirm. */
    private long deadlineNs = Long.MAX_VALUE;

    /** Whether the messages of this core do not leave for now. */
    private boolean isMuted;

    /** @param listener is called within the steps of this object, and must not call it */
    public RendezvousCore(RunSpec run, ServerListener listener) {
        this(run, listener, 0);
    }

    /**
     * As {@link #RendezvousCore(RunSpec, ServerListener)}, for a server that a process may take for another one.
     *
     * @param boot tells this server from all others
     */
    public RendezvousCore(RunSpec run, ServerListener listener, long boot) {
        this(run, listener, boot, true);
    }

    /** @param judgesSilences whether processes that are silent are ended, in a job that survives failures */
    public RendezvousCore(RunSpec run, ServerListener listener, long boot, boolean judgesSilences) {
        this.run = run;
        this.listener = listener;
        this.store = new StoreDesk(boot);
        this.roster = new Roster(run.elastic());
        this.returns = new Returns(roster);
        this.candidates = run.isElastic() ? new Candidates(roster, run) : null;
        this.incarnations = new Incarnations(run.isElastic() ? 0 : run.size(), run.restarts());
        this.world = new RunningWorld(roster, incarnations, run, listener, judgesSilences);
        this.refusals = new Refusals(run, roster, incarnations, spares, world);
    }

    /**
     * Makes a core that goes on from the state of another one. All deadlines begin anew. Nothing is sent: a process
     * gets the present answer when it joins again.
     *
     * @param image what {@link #image} of that core returned
     * @param boot tells this server from all others; the program's store begins empty
     * @param judgesSilences whether processes that are silent are ended
     * @param findNs how long a process may take to find this coordinator, as long as it can be found
     *     ({@link #onHidden})
     */
    public static RendezvousCore restored(
            byte[] image, ServerListener listener, long boot, boolean judgesSilences, long findNs, long nowNs) {
        WireReader in = new WireReader(image);
        RendezvousCore core = new RendezvousCore(CoreImage.readRun(in), listener, boot, judgesSilences);
        core.readImage(in, findNs, nowNs);
        in.requireEnd();
        return core;
    }

    /**
     * Sets how many processes may join an elastic world, those that have ended included. Each of them is kept in the
     * image, which is limited.
     */
    public void limitJoins(int most) {
        refusals.limitJoins(most);
    }

    /** The job that an image is of. */
    public static RunSpec runOf(byte[] image) {
        return CoreImage.readRun(new WireReader(image));
    }

    /**
     * How many processes hold a slot in an image. In an elastic world a process that has joined holds none before a
     * round with it is frozen.
     */
    public static int membersOf(byte[] image) {
        return restored(image, new SilentListener(), 0, false, 0, 0).roster.size();
    }

    /**
     * The state of this core, from which {@link #restored} makes another one.
     *
     * @throws IllegalStateException in a job with leases
     * @throws WireFormatException if the state is too large for an image
     */
    public byte[] image() {
        if (run.leaseNs() > 0) {
            throw new IllegalStateException("a job with leases (ulfm.rdzv.lease, ulfm.ft.quorum=coordinator) has one"
                    + " coordinator: its state is not handed on");
        }
        WireWriter out = CoreImage.begin(run);
        out.putByte(phase.ordinal()).putInt(round);
        roster.writeImage(out);
        incarnations.writeImage(out);
        spares.writeImage(out);
        refusals.writeImage(out);
        world.writeImage(out);
        return out.toByteArray();
    }

    private void readImage(WireReader in, long findNs, long nowNs) {
        int number = in.getByte();
        if (number >= Phase.values().length) {
            throw new WireFormatException("no phase has number " + number);
        }
        phase = Phase.values()[number];
        round = in.getInt();
        roster.readImage(in);
        incarnations.readImage(in);
        spares.readImage(in);
        refusals.readImage(in);
        world.readImage(in, nowNs);
        for (Seat seat : roster.holders()) {
            unconfirmed += seat.confirmed ? 0 : 1;
        }
        returns.begin(findNs);
        restart(nowNs);
    }

    /**
     * Tells the listener what differs between an earlier state and the present one, for a launcher that has the office
     * again. Ends of processes are not told: a launcher learns from the system which of its processes have ended.
     *
     * @param former an earlier {@link #image} of the same job; null if the listener has heard nothing
     */
    public void tellSince(byte[] former) {
        ServerListener silent = new SilentListener();
        RendezvousCore before =
                former == null ? new RendezvousCore(run, silent) : restored(former, silent, 0, false, 0, 0);
        new Meanwhile(before.view(), view()).tell(listener);
    }

    /** The processes that have joined and are not known to have ended, with their present names. */
    public List<MemberRecord> living() {
        List<MemberRecord> living = new ArrayList<>();
        for (Seat seat : roster.all()) {
            if (!seat.ended) {
                living.add(seat.member);
            }
        }
        return living;
    }

    /**
     * Whether processes have joined, and each of them has ended, has said goodbye, or takes no part any more because it
     * was refused without being excluded, or waited in vain.
     */
    public boolean isOver() {
        for (Seat seat : roster.all()) {
            boolean isOut = seat.out != null && !seat.excluded || hasWaitedInVain(seat);
            if (!seat.ended && !seat.saidGoodbye && !isOut) {
                return false;
            }
        }
        return roster.joined() > 0;
    }

    /** Whether a process of an elastic world never ran, and never will, because the gathering is closed. */
    private boolean hasWaitedInVain(Seat seat) {
        return candidates != null && phase == Phase.CLOSED && !seat.running;
    }

    private Meanwhile.View view() {
        return new Meanwhile.View(phase, round, world.epoch(), roster, spares, refusals);
    }

    /** Lets all times begin anew. */
    private void restart(long nowNs) {
        world.silences().begin(nowNs, (nonce, message) -> {});
        if (candidates != null) {
            candidates.restart(phase == Phase.LAST_CALL, nowNs);
        }
        beginDeadline(nowNs);
        spares.settle(world.silences());
        if (phase == Phase.FINAL) {
            returns.resumeIn(world.silences());
        }
    }

    private void beginDeadline(long nowNs) {
        if (phase == Phase.FROZEN) {
            deadlineNs = nowNs + run.confirmTimeoutNs() + returns.extraNs();
        } else if (isOpen() && candidates != null) {
            deadlineNs = candidates.nextDeadlineNs();
        } else if (isOpen() && roster.size() > 0) {
            deadlineNs = nowNs + run.joinTimeoutNs();
        }
    }

    /**
     * V8, V9: whether the time to join or to confirm stands still, because messages of this core do not leave, or
     * because members that are to confirm cannot find this coordinator.
     */
    private boolean isTimeHeld() {
        return isMuted || phase == Phase.FROZEN && returns.isAnyShutOut();
    }

    public Phase phase() {
        return phase == Phase.FINAL && world.isCalling() ? Phase.ROLLCALL : phase;
    }

    /**
     * S1: greets a process that has connected and proved itself, before it sends any message.
     *
     * @param session the number of its session with the store; 0 if it knows none yet
     * @param attempt grows with each dial of the process
     * @return null if a later dial of the process was greeted: then this connection is not to be used
     */
    public StoreWelcome greet(long nonce, long session, long attempt) {
        return store.greet(nonce, session, attempt);
    }

    /** The nonce of the process that has this name now, also if it has ended; null if there is none. */
    public Long nonceOf(ProcessId process) {
        Seat seat = roster.of(process);
        return seat == null ? null : seat.nonce();
    }

    /**
     * The present name of the process with this nonce; null if it never joined, or counts as ended. In an elastic world
     * that is the provisional name until the process gets a slot.
     */
    public ProcessId nameOf(long nonce) {
        Seat seat = roster.of(nonce);
        return seat == null || seat.ended ? null : seat.id();
    }

    @Override
    public void onMessage(Long nonce, RendezvousMessage message, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        if (returns.found(nonce) && phase == Phase.FROZEN && !returns.isAnyToConfirm()) {
            // All members that are to confirm have found this coordinator, even if it is still hard to find.
            beginDeadline(nowNs);
        }
        if (message instanceof RendezvousMessage.Join join) {
            onJoin(nonce, join.member(), null, nowNs, out);
            return;
        }
        if (message instanceof RendezvousMessage.JoinAnywhere join) {
            onJoin(nonce, join.joiner().member(), join.joiner(), nowNs, out);
            return;
        }
        if (message instanceof RendezvousMessage.Spare spare) {
            onSpare(nonce, spare.number(), out);
            return;
        }
        Seat seat = roster.of(nonce);
        if (message instanceof RendezvousMessage.Leave && seat != null && isLeaveOver(seat)) {
            out.send(nonce, new RendezvousMessage.LeaveHeard());
            return;
        }
        if (seat == null || seat.out != null) {
            // The process never joined, or it was refused and may not have heard so yet.
            return;
        }
        world.silences().onMessage(seat, message);
        if (message instanceof RendezvousMessage.Confirm confirm) {
            onConfirm(seat, confirm, out);
        } else if (message instanceof RendezvousMessage.StoreAsk ask) {
            store.ask(seat, ask, out);
        } else if (phase == Phase.FINAL) {
            world.onMessage(seat, message, nowNs, out);
            afterWorld(nowNs, out);
        } else if (message instanceof RendezvousMessage.Abort abort) {
            listener.onAbort(nameToldOf(seat), abort.code(), abort.reason());
        } else if (message instanceof RendezvousMessage.Leave leave && candidates != null) {
            onLeave(seat, leave.why(), nowNs, out);
        }
    }

    /** @param joiner the process without a slot; null for a process that joins with a slot */
    private void onJoin(
            long nonce, MemberRecord member, Joiner joiner, long nowNs, Outbox<Long, RendezvousMessage> out) {
        Seat known = roster.of(nonce);
        if (known != null) {
            world.silences().onConnected(known);
            answerPresent(known, out);
            if (phase == Phase.FINAL && known.isHere() && known.hasUnheard()) {
                known.unheard().tellAgain(nonce, out);
            }
            return;
        }
        RendezvousMessage.Out refusal = refusals.ofProcess(nonce, member, joiner != null);
        if (refusal != null) {
            out.send(nonce, refusal);
            return;
        }
        Seat seat = joiner == null ? new Seat(member) : new Seat(joiner.named(Joiner.provisional(roster.joined())));
        roster.add(seat);
        spares.leave(nonce);
        if (joiner != null) {
            listener.onArrived(seat.joiner);
        }
        if (phase == Phase.FINAL) {
            world.onNewcomer(seat, out);
        } else if (isOpen() && !roster.hasOlder(seat)) {
            takeSlot(seat, nowNs, out);
        } else {
            // V10, V11: this process waits until the present round is decided, or until the older process of its slot
            // has ended.
            listener.onPending(seat.id());
            answerPresent(seat, out);
        }
    }

    private void takeSlot(Seat seat, long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (candidates != null) {
            candidates.add(seat, nowNs);
        } else {
            if (roster.size() == 0) {
                deadlineNs = nowNs + run.joinTimeoutNs();
            }
            roster.place(seat);
        }
        listener.onJoined(seat.id());
        goOnGathering(nowNs, out);
    }

    /**
     * Freezes a static world that is complete, and closes one that cannot become complete, once a process has joined.
     * Freezes an elastic world that is full; else begins or cancels its last call if the number of candidates demands
     * it.
     */
    private void goOnGathering(long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (candidates != null) {
            candidates.count(nowNs);
            if (candidates.isFull()) {
                freeze(nowNs, out);
            } else {
                phase = candidates.isLastCall() ? Phase.LAST_CALL : Phase.JOINABLE;
                deadlineNs = candidates.nextDeadlineNs();
            }
            return;
        }
        String hopeless = incarnations.hopeless(roster);
        if (roster.all().isEmpty()) {
            // No process has called Init yet, and perhaps no process will.
            return;
        }
        if (hopeless != null) {
            close(OutReason.CLOSED, hopeless, out);
        } else if (roster.size() == run.size()) {
            freeze(nowNs, out);
        }
    }

    private void answerPresent(Seat seat, Outbox<Long, RendezvousMessage> out) {
        long nonce = seat.nonce();
        if (seat.hasLeftEarly()) {
            // V2: the first answer to its leaving was this one, and may have been lost.
            out.send(nonce, new RendezvousMessage.LeaveHeard());
        } else if (phase == Phase.CLOSED) {
            refusals.tellClosed(nonce, out);
        } else if (seat.out != null) {
            out.send(nonce, seat.out);
        } else if (phase == Phase.FINAL) {
            world.answer(seat, out);
        } else if (phase == Phase.FROZEN && roster.holds(seat) && !seat.confirmed) {
            out.send(nonce, new RendezvousMessage.Table(round, roster.members()));
        } else if (phase == Phase.FROZEN || candidates == null && !roster.holds(seat)) {
            out.send(nonce, new RendezvousMessage.Wait(round, 0, List.of()));
        }
    }

    private void freeze(long nowNs, Outbox<Long, RendezvousMessage> out) {
        phase = Phase.FROZEN;
        round++;
        if (candidates != null) {
            candidates.giveSlots();
            for (Seat spare : roster.waiting()) {
                answerPresent(spare, out);
            }
        }
        unconfirmed = roster.size();
        beginDeadline(nowNs);
        RendezvousMessage table = new RendezvousMessage.Table(round, roster.members());
        for (Seat seat : roster.holders()) {
            out.send(seat.nonce(), table);
        }
    }

    private void onConfirm(Seat seat, RendezvousMessage.Confirm confirm, Outbox<Long, RendezvousMessage> out) {
        if (phase != Phase.FROZEN || confirm.round() != round || !roster.holds(seat)) {
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
            world.begin(round, out);
            returns.awaitIn(world.silences());
            if (run.isElastic()) {
                listener.onBegun(roster.members());
            }
            listener.onFinal();
        }
    }

    /**
     * After a message, an end or a tick in a running world: gathers anew if the world is gone, and refuses the spares
     * that have called if it has ended by Finalize.
     */
    private void afterWorld(long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (world.isGone()) {
            gatherAnew(nowNs, out);
        } else if (world.over() != null) {
            for (Long spare : spares.takeAll()) {
                refusals.refuse(spare, world.over(), out);
            }
        }
    }

    /**
     * V14: no process runs any more, so the processes that wait become candidates for a new world, except those that
     * are to end themselves.
     */
    private void gatherAnew(long nowNs, Outbox<Long, RendezvousMessage> out) {
        listener.onWorldGone();
        phase = Phase.JOINABLE;
        world.silences().settleNone();
        roster.vacateAll();
        for (Seat seat : roster.waiting()) {
            if (seat.fence != null) {
                // The process was lost with its host, or is to end itself: a new world is not to begin with it.
                seat.out = out(OutReason.FENCED, seat.fence);
                out.send(seat.nonce(), seat.out);
            }
        }
        for (Seat seat : roster.waiting()) {
            seat.confirmed = false;
            seat.announced = false;
            seat.held = false;
            if (candidates != null) {
                continue;
            }
            // In the order of incarnations: of several processes of one slot, the highest incarnation gets the slot.
            roster.place(seat);
        }
        if (candidates != null) {
            candidates.reopen(nowNs);
        }
        for (Seat seat : candidates == null ? roster.holders() : roster.waiting()) {
            listener.onJoined(seat.id());
        }
        deadlineNs = roster.size() == 0 ? Long.MAX_VALUE : nowNs + run.joinTimeoutNs();
        goOnGathering(nowNs, out);
    }

    private void onSpare(long nonce, int number, Outbox<Long, RendezvousMessage> out) {
        RendezvousMessage.Out refusal = refusals.ofSpare(nonce, number);
        if (refusal != null) {
            out.send(nonce, refusal);
        } else if (roster.of(nonce) == null) {
            ProcessId place = spares.place(number);
            out.send(
                    nonce,
                    place == null
                            ? new RendezvousMessage.Wait(round, 0, List.of())
                            : new RendezvousMessage.Assign(place));
            if (spares.arrive(number, nonce)) {
                if (place == null) {
                    world.silences().spareWaits(number);
                }
                listener.onSpare(number);
            }
        }
    }

    /**
     * Notes the host on which a process is about to be started. A process for which this was not called is on the
     * launcher's own host, 0.
     *
     * @param process the process; in an elastic world a name whose slot is the number with which the process will join
     *     ({@link Joiner#localIndex})
     */
    public void onPlaced(ProcessId process, int host) {
        world.silences().place(process, host);
    }

    /** As {@link #onPlaced}, for a spare. */
    public void onSparePlaced(int spare, int host) {
        world.silences().placeSpare(spare, host);
    }

    /** J4: notes that a message of a host's agent has arrived. */
    public void onAgentHeard(int host, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        world.silences().onAgentHeard(host);
    }

    /** J4: notes that the connection to a host's agent was lost. */
    public void onAgentLost(int host, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        world.silences().onAgentLost(host);
    }

    /** J4, V15: takes the processes of lost hosts for ended once their leases are over. */
    private void endOverdue(long nowNs, Outbox<Long, RendezvousMessage> out) {
        for (Seat seat : world.silences().takeOverdue()) {
            String reason = seat.fence + ", and its lease (ulfm.rdzv.lease) is over";
            listener.onLeaseOver(seat.id(), reason);
            onEnded(seat.id(), reason, nowNs, out);
        }
    }

    /** V11: notes that the launcher is about to start the next process of a slot. From now on that process may join. */
    public void onRestartAllowed(ProcessId next) {
        incarnations.give(next);
    }

    /**
     * Gives a spare its place, as the launcher says: the spare becomes the next process of a slot. A spare that has not
     * called yet is told when it calls.
     */
    public void onAssign(int spare, ProcessId next, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        incarnations.give(next);
        spares.assign(spare, next, out);
        world.silences().assigned(spare, next);
    }

    /** Notes that the process of a spare has ended, to which no place was given. */
    public void onSpareEnded(int spare, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        spares.forget(spare);
        world.silences().spareLeaves(spare);
    }

    /**
     * Tells the state of a process, as {@code /proc} shows it. Needed only for a process that is still
     * ({@code SilenceJudge.isStill}), was still before, or is to be killed.
     *
     * @param state its letter in {@code /proc/PID/stat}
     * @param isKillPending whether SIGKILL is pending at it
     */
    public void onLooked(
            ProcessId process, char state, boolean isKillPending, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        world.silences().onLooked(process, state, isKillPending);
    }

    /** As {@link #onLooked}, for a spare. */
    public void onSpareLooked(
            int spare, char state, boolean isKillPending, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        world.silences().onSpareLooked(spare, state, isKillPending);
    }

    /**
     * Stops judging processes until {@link #onRestarted}: the launcher is about to stop its processes, and perhaps
     * itself.
     */
    public void onSuspended() {
        world.silences().suspend();
    }

    /**
     * Stops judging processes, and stops the times to join and to confirm, until {@link #onUnmuted}: the messages of
     * this core are held back for longer than usual, so no process can answer them.
     */
    public void onMuted() {
        isMuted = true;
        world.silences().mute();
    }

    /**
     * Notes that the messages of this core leave again. Unless something else still holds them back, the judging of
     * processes, with each silence counted from now on, and the time to join or to confirm begin anew.
     */
    public void onUnmuted(long nowNs, Outbox<Long, RendezvousMessage> out) {
        isMuted = false;
        beginHeldTime(nowNs);
        world.silences().begin(nowNs, out);
        world.silences().unmute();
    }

    private void beginHeldTime(long nowNs) {
        if (!isTimeHeld()) {
            if (candidates != null && isOpen()) {
                candidates.restart(phase == Phase.LAST_CALL, nowNs);
            }
            beginDeadline(nowNs);
        }
    }

    /**
     * Notes that no process can find this coordinator, which goes on from the state of another one. Until
     * {@link #onShown} the processes that have not found it yet are not judged, and not late to confirm.
     */
    public void onHidden() {
        returns.hide();
        world.silences().show(false);
    }

    /** Notes that processes can find this coordinator. The time within which they have to find it begins now. */
    public void onShown(long nowNs, Outbox<Long, RendezvousMessage> out) {
        returns.show();
        if (phase == Phase.FROZEN && returns.isAnyToConfirm()) {
            beginHeldTime(nowNs);
        }
        world.silences().begin(nowNs, out);
        world.silences().show(true);
    }

    /**
     * Judges processes again after {@link #onSuspended}, since all were continued: each silence is counted from now on.
     * Between {@link #onMuted} and {@link #onUnmuted} the judging waits for the latter.
     */
    public void onRestarted(long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        world.silences().restart();
    }

    /**
     * Notes that no other process of this slot will be started. The members of a running world are told, and told again
     * when they join again. A gathering is closed if the last process of the slot has ended and any process has joined.
     */
    public void onNoMore(int slot, String why, long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (!incarnations.giveUp(slot, why)) {
            return;
        }
        if (phase == Phase.FINAL) {
            world.onNoMore(slot, why, out);
        } else if (phase == Phase.JOINABLE) {
            goOnGathering(nowNs, out);
        }
    }

    /**
     * Asks a process of a running world for which processes it waits, and asks again on each new connection until it
     * has answered.
     */
    public void onAskWaits(ProcessId process, long request, Outbox<Long, RendezvousMessage> out) {
        Seat seat = roster.of(process);
        if (phase == Phase.FINAL && seat != null && seat.isHere()) {
            out.send(seat.nonce(), seat.unheard().ask(request));
        }
    }

    /**
     * Tells a process of a running world of a signal, and tells it again on each new connection, as long as the signal
     * is one of the last 16 for the process.
     */
    public void onSignal(ProcessId process, String name, Outbox<Long, RendezvousMessage> out) {
        Seat seat = roster.of(process);
        if (phase == Phase.FINAL && seat != null && seat.isHere()) {
            out.send(seat.nonce(), seat.unheard().signal(name));
        }
    }

    /**
     * Notes that a process has ended. In a running world the members are told of its death, or of its departure if it
     * had said goodbye, unless they never heard of the process or it has left. Before a static world runs, the
     * gathering waits for the next process of the slot if one may come; else it is closed, if any process has joined.
     *
     * @param reason in plain words: "killed by signal 9"
     */
    public void onEnded(ProcessId process, String reason, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        Seat seat = roster.of(process);
        if (seat != null && seat.ended) {
            return;
        }
        String where = seat == null ? " before MPI.Init" : seat.running ? "" : " in MPI.Init";
        incarnations.end(process, "rank " + process + " ended" + where + " (" + reason + ")");
        if (seat == null) {
            world.silences().endedWithoutSeat(process);
        } else {
            store.end(seat.nonce());
        }
        if (phase == Phase.FINAL && seat != null) {
            world.onEnded(seat, reason, nowNs, out);
            afterWorld(nowNs, out);
        } else if (isOpen() || phase == Phase.FROZEN) {
            if (seat != null) {
                dropSeat(seat, nowNs, out);
            }
            if (isOpen()) {
                goOnGathering(nowNs, out);
            }
        }
    }

    /**
     * The name by which the listener knows a process. In an elastic world the listener learns slots only once the world
     * runs, and until then knows a process by the name under which it arrived.
     */
    private ProcessId nameToldOf(Seat seat) {
        return seat.joiner == null || phase == Phase.FINAL
                ? seat.id()
                : seat.joiner.member().id();
    }

    /** Whether a process that joins now may be a member of the next world. */
    private boolean isOpen() {
        return phase == Phase.JOINABLE || phase == Phase.LAST_CALL;
    }

    /**
     * Whether it changes nothing any more that a process of an elastic world leaves: it has left already, or the
     * gathering is closed.
     */
    private boolean isLeaveOver(Seat seat) {
        return candidates != null && (seat.hasLeftEarly() || phase == Phase.CLOSED);
    }

    /**
     * V7, V12: handles a process of an elastic world that leaves before the world runs. That never closes the
     * gathering.
     */
    private void onLeave(Seat seat, String why, long nowNs, Outbox<Long, RendezvousMessage> out) {
        out.send(seat.nonce(), new RendezvousMessage.LeaveHeard());
        seat.hasLeft = true;
        seat.out = out(OutReason.FENCED, "the process has left: " + why);
        listener.onLeave(nameToldOf(seat), why);
        if (roster.holds(seat)) {
            vacate(seat, nowNs);
        }
        if (isOpen()) {
            goOnGathering(nowNs, out);
        }
    }

    /**
     * V4: ends the last call at once: all processes that the launcher has started have joined. Has no effect in another
     * phase.
     */
    public void onAllStartedJoined(long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (phase == Phase.LAST_CALL) {
            freeze(nowNs, out);
        }
    }

    /**
     * Closes the rendezvous: the processes that have joined and have neither ended nor left early, the spares that have
     * called, and the processes that join later are told to end. Has no effect if it is closed already.
     */
    public void onClose(String why, Outbox<Long, RendezvousMessage> out) {
        if (phase != Phase.CLOSED) {
            close(OutReason.CLOSED, why, out);
        }
    }

    /**
     * V7: drops a process that has ended before the world runs. If it held a slot in a frozen round, the round is
     * dissolved, and all other members of the round are candidates again.
     */
    private void dropSeat(Seat seat, long nowNs, Outbox<Long, RendezvousMessage> out) {
        boolean wasCandidate = roster.holds(seat);
        seat.ended = true;
        if (seat.out == null) {
            seat.out = out(OutReason.FENCED, "the process that was started as rank " + seat.id() + " has ended");
        }
        out.send(seat.nonce(), seat.out);
        if (wasCandidate) {
            vacate(seat, nowNs);
        }
        for (Seat successor : roster.waiting()) {
            if (successor.id().slot() == seat.id().slot()
                    && phase == Phase.JOINABLE
                    && roster.holder(seat.id().slot()) == null
                    && !roster.hasOlder(successor)) {
                takeSlot(successor, nowNs, out);
            }
        }
    }

    private void vacate(Seat seat, long nowNs) {
        roster.vacate(seat);
        if (phase == Phase.FROZEN) {
            phase = Phase.JOINABLE;
            deadlineNs = nowNs + run.joinTimeoutNs();
            for (Seat candidate : roster.holders()) {
                candidate.confirmed = false;
            }
            if (candidates != null) {
                candidates.reopen(nowNs);
            }
        }
        if (roster.size() == 0) {
            deadlineNs = Long.MAX_VALUE;
        }
    }

    /** Notes that a process is proven to have ended which counted as ended since its lease was over. */
    public void onProven(ProcessId process, long nowNs, Outbox<Long, RendezvousMessage> out) {
        onProven(roster.of(process), nowNs, out);
    }

    /** As {@link #onProven(ProcessId, long, Outbox)}, for a process of an elastic world, by its nonce. */
    public void onProven(long nonce, long nowNs, Outbox<Long, RendezvousMessage> out) {
        onProven(roster.of(nonce), nowNs, out);
    }

    private void onProven(Seat seat, long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        if (seat != null) {
            world.silences().proven(seat);
        }
    }

    /** As {@link #onEnded}, for a member of a running world whose goodbye is known from elsewhere. */
    public void onDeparted(ProcessId process, long nowNs, Outbox<Long, RendezvousMessage> out) {
        Seat seat = roster.of(process);
        if (phase == Phase.FINAL && seat != null && !seat.ended) {
            seat.saidGoodbye = true;
            onEnded(process, "", nowNs, out);
        }
    }

    /**
     * As {@link #onEnded} for a process of an elastic world that is known from elsewhere to have finalized, though
     * perhaps no coordinator has heard its goodbye. Once no process runs, its world counts as finished, also where this
     * core has not learned that the process was a member.
     */
    public void onEndedFinalized(ProcessId process, String reason, long nowNs, Outbox<Long, RendezvousMessage> out) {
        Seat seat = roster.of(process);
        if (phase == Phase.FINAL && seat != null && seat.isHere() && !seat.saidGoodbye) {
            seat.saidGoodbye = true;
            listener.onGoodbye(seat.id(), seat.heldForFailed);
        }
        onEnded(process, reason, nowNs, out);
    }

    /**
     * Tells a process to end itself; a member of a running world is told again if it joins again. Has no effect on a
     * process that has ended, was refused, or was told so before.
     */
    public void onFence(ProcessId process, String reason, Outbox<Long, RendezvousMessage> out) {
        Seat seat = roster.of(process);
        if (seat != null && seat.isHere() && seat.fence == null) {
            world.fence(seat, nameToldOf(seat), reason, out);
        }
    }

    /**
     * Aborts the job, unless the rendezvous is closed: the processes that have joined and have neither ended nor left
     * early, and the spares that have called, are told to end with this code. A process that joins later for the first
     * time is refused.
     */
    public void onAbort(int code, String reason, Outbox<Long, RendezvousMessage> out) {
        if (!refusals.isAborted() && phase != Phase.CLOSED) {
            refusals.abort(new RendezvousMessage.Abort(code, reason));
            close(OutReason.CLOSED, reason, out);
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<Long, RendezvousMessage> out) {
        world.silences().begin(nowNs, out);
        if (phase == Phase.FINAL) {
            world.onTick(nowNs, out);
            endOverdue(nowNs, out);
            afterWorld(nowNs, out);
        } else if (isTimeHeld()) {
            return;
        } else if (nowNs >= deadlineNs && phase == Phase.FROZEN) {
            closeUnconfirmed(nowNs, out);
        } else if (nowNs >= deadlineNs && phase == Phase.LAST_CALL) {
            freeze(nowNs, out);
        } else if (nowNs >= deadlineNs && candidates != null) {
            dismissLate(nowNs, out);
        } else if (nowNs >= deadlineNs) {
            close(
                    OutReason.TIMEOUT,
                    "waited " + milliseconds(run.joinTimeoutNs()) + " (ulfm.rdzv.join) for the other ranks: state "
                            + phase + ", have " + roster.size() + ", need " + run.size() + ", missing "
                            + roster.slotsWhere(run.size(), false),
                    out);
        }
    }

    @Override
    public long nextDeadlineNs() {
        if (phase == Phase.FINAL) {
            return world.nextDeadlineNs();
        }
        return isTimeHeld() ? Long.MAX_VALUE : deadlineNs;
    }

    /** V8: a member that does not confirm in time is out for good. A static world without restarts is closed. */
    private void closeUnconfirmed(long nowNs, Outbox<Long, RendezvousMessage> out) {
        String text = "within " + milliseconds(run.confirmTimeoutNs())
                + " (ulfm.rdzv.confirm) the table of addresses was not confirmed by "
                + roster.slotsWhere(run.size(), true);
        List<Seat> silent = new ArrayList<>();
        for (Seat seat : roster.holders()) {
            if (!seat.confirmed) {
                seat.out = out(OutReason.NO_CONFIRM, text);
                silent.add(seat);
            }
        }
        if (!run.restarts() && candidates == null) {
            close(OutReason.CLOSED, text, out);
            return;
        }
        for (Seat seat : silent) {
            out.send(seat.nonce(), seat.out);
            vacate(seat, nowNs);
        }
        goOnGathering(nowNs, out);
    }

    /** V9: in an elastic world, refuses each candidate whose own time to join has passed. */
    private void dismissLate(long nowNs, Outbox<Long, RendezvousMessage> out) {
        RendezvousMessage.Out end = out(OutReason.TIMEOUT, candidates.whyLate());
        for (Seat seat : candidates.late(nowNs)) {
            seat.out = end;
            out.send(seat.nonce(), end);
        }
        goOnGathering(nowNs, out);
    }

    private void close(OutReason reason, String text, Outbox<Long, RendezvousMessage> out) {
        phase = Phase.CLOSED;
        deadlineNs = Long.MAX_VALUE;
        if (!refusals.isAborted()) {
            // Told before any process can hear of the closing and end: the launcher must not take such an end for the
            // cause.
            listener.onClosed(reason, text);
        }
        refusals.close(out(reason, text), out);
    }

    private static RendezvousMessage.Out out(OutReason reason, String text) {
        return new RendezvousMessage.Out(reason, text);
    }

    private static String milliseconds(long ns) {
        return ns / 1_000_000 + " ms";
    }
}
