package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;

/**
 * The world once it runs: which processes are in it by the word of its members, which ones wait to be admitted, what
 * the members are told, and when no process is left in the world.
 *
 * <p>This class admits no process: members tell it which processes they have admitted (rules V10 to V14 of the
 * rendezvous). Pure, not thread-safe; part of the core.
 */
final class RunningWorld {
    private final Roster roster;
    private final RunSpec run;
    private final ServerListener listener;
    private final News news;
    private final RollCall rollCall;
    private final Silences silences;

    private int round;
    private int epoch;
    private long digest;

    private boolean gone;
    private RendezvousMessage.Out over;

    RunningWorld(
            Roster roster, Incarnations incarnations, RunSpec run, ServerListener listener, boolean judgesSilences) {
        this.roster = roster;
        this.run = run;
        this.listener = listener;
        this.news = new News(roster, incarnations);
        this.rollCall = new RollCall(run.joinTimeoutNs());
        this.silences = new Silences(roster, run, listener, news, judgesSilences);
    }

    /** Begins a world: all members of a round have confirmed its table. */
    void begin(int newRound, Outbox<Long, RendezvousMessage> out) {
        round = newRound;
        epoch = 0;
        gone = false;
        for (Seat seat : roster.holders()) {
            seat.running = true;
        }
        news.begin(new RendezvousMessage.Final(round, epoch, roster.members()), out);
        receiveAll(roster.waiting(), out);
        silences.settleAll();
    }

    void writeImage(WireWriter out) {
        out.putInt(round).putInt(epoch).putLong(digest);
        CoreImage.putFlag(out, gone);
        CoreImage.putMaybe(out, over);
        rollCall.writeImage(out);
        news.writeImage(out);
        silences.writeImage(out);
    }

    void readImage(WireReader in, long nowNs) {
        round = in.getInt();
        epoch = in.getInt();
        digest = in.getLong();
        gone = CoreImage.getFlag(in);
        over = CoreImage.getMaybeOut(in);
        rollCall.readImage(in, nowNs);
        news.readImage(in);
        silences.readImage(in);
    }

    Silences silences() {
        return silences;
    }

    /**
     * Whether the world is gone: no process runs any more and none has finalized, in a job with restarts or an elastic
     * world. The processes that wait may then gather anew.
     */
    boolean isGone() {
        return gone;
    }

    /** The refusal for processes that join, or wait, after the world has ended by Finalize; null while it has not. */
    RendezvousMessage.Out over() {
        return over;
    }

    /**
     * Whether a roll call is open: the processes that may run without the core's knowledge are being asked whether they
     * run.
     */
    boolean isCalling() {
        return rollCall.isOpen();
    }

    long nextDeadlineNs() {
        return Math.min(rollCall.nextDeadlineNs(), silences.nextDeadlineNs());
    }

    int epoch() {
        return epoch;
    }

    /**
     * Takes in a process that has joined and holds no slot yet. V10: during a roll call it is told nothing, because a
     * process that is being asked might admit it.
     */
    void onNewcomer(Seat seat, Outbox<Long, RendezvousMessage> out) {
        listener.onPending(seat.id());
        if (rollCall.isOpen()) {
            rollCall.count(seat);
            seat.held = true;
        } else {
            receiveAll(List.of(seat), out);
        }
        silences.settle(seat);
    }

    /**
     * Tells newcomers to wait for this world, and refuses those that can be admitted no more. All that hold no slot and
     * are not refused get the same message.
     */
    private void receiveAll(List<Seat> newcomers, Outbox<Long, RendezvousMessage> out) {
        RendezvousMessage.Wait toAll = new RendezvousMessage.Wait(round, epoch, roster.members());
        for (Seat seat : newcomers) {
            receive(seat, toAll, out);
        }
    }

    private void receive(Seat seat, RendezvousMessage.Wait toAll, Outbox<Long, RendezvousMessage> out) {
        seat.held = false;
        if (!roster.holds(seat) && !isWanted(seat)) {
            leaveOut(seat, hasGoneOnWithout(seat), out);
            return;
        }
        if (roster.holds(seat)) {
            tellToWait(seat, new RendezvousMessage.Wait(round, epoch, roster.membersBut(seat)), out);
        } else {
            tellToWait(seat, toAll, out);
            news.announce(seat, out);
        }
    }

    private void tellToWait(Seat seat, RendezvousMessage.Wait wait, Outbox<Long, RendezvousMessage> out) {
        out.send(seat.nonce(), wait);
        if (seat.announced) {
            news.tellOfOthers(seat, out);
        }
    }

    /**
     * P8: whether a newcomer may still be admitted: an older process of its slot is in the world, whether or not that
     * process has ended.
     */
    private boolean isWanted(Seat seat) {
        if (seat.joiner != null) {
            // V10: an elastic world may grow later, so a process without a slot is always wanted.
            return true;
        }
        Seat holder = roster.holder(seat.id().slot());
        return holder != null && holder.id().incarnation() < seat.id().incarnation();
    }

    private RendezvousMessage.Out hasGoneOnWithout(Seat seat) {
        return new RendezvousMessage.Out(
                OutReason.GONE_ON, "the world has gone on without rank " + seat.id() + ", in epoch " + epoch);
    }

    /** V2: answers a process that has joined before and joins again, with the present answer. */
    void answer(Seat seat, Outbox<Long, RendezvousMessage> out) {
        if (roster.holds(seat) && seat.running) {
            sendWorld(seat, out);
        } else if (!rollCall.isOpen()) {
            tellToWait(seat, new RendezvousMessage.Wait(round, epoch, roster.membersBut(seat)), out);
        } else if (!rollCall.has(seat)) {
            rollCall.ask(round, seat, out);
        }
    }

    private void sendWorld(Seat seat, Outbox<Long, RendezvousMessage> out) {
        out.send(seat.nonce(), new RendezvousMessage.Final(round, epoch, roster.members()));
        news.tellAgain(seat, out);
        if (seat.saidGoodbye) {
            out.send(seat.nonce(), new RendezvousMessage.GoodbyeHeard());
        }
        if (seat.hasLeft) {
            out.send(seat.nonce(), new RendezvousMessage.LeaveHeard());
        }
        if (seat.fence != null) {
            out.send(seat.nonce(), new RendezvousMessage.Fence(seat.fence));
        }
    }

    void onNoMore(int slot, String why, Outbox<Long, RendezvousMessage> out) {
        news.tell(new RendezvousMessage.NoMore(slot, why), out);
    }

    void onMessage(Seat seat, RendezvousMessage message, long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (message instanceof RendezvousMessage.OfMember word) {
            word.tellWorld(new Words(seat, nowNs, out));
        }
    }

    private boolean isOfKnown(RendezvousMessage.Committed world) {
        for (MemberRecord member : world.members()) {
            if (roster.listed(member) == null) {
                return false;
            }
        }
        return true;
    }

    private void adopt(Seat from, RendezvousMessage.Committed world, Outbox<Long, RendezvousMessage> out) {
        List<Seat> before = new ArrayList<>(roster.holders());
        epoch = world.epoch();
        digest = world.digest();
        roster.vacateAll();
        for (MemberRecord member : world.members()) {
            Seat seat = roster.listed(member);
            if (!seat.id().equals(member.id())) {
                silences.forget(seat);
                Seat former = roster.of(member.id());
                if (former != null) {
                    silences.forget(former);
                }
                roster.name(seat, member.id());
            }
            roster.place(seat);
        }
        listener.onCommitted(from.id(), epoch, roster.members());
        for (Seat seat : before) {
            if (!roster.holds(seat) && !seat.ended) {
                exclude(seat, "the world has gone on without rank " + seat.id(), out);
            }
        }
        for (Seat seat : roster.waiting()) {
            if (!isWanted(seat)) {
                leaveOut(seat, hasGoneOnWithout(seat), out);
            }
        }
        if (run.isElastic()) {
            tellOfTheDead(before, out);
        }
    }

    /**
     * In an elastic world the members know a waiting process by its provisional name. If they have admitted one that
     * has ended or left, they are told of its death by the name that they gave it; of one that was lost with its host
     * they are told that it is lost.
     */
    private void tellOfTheDead(List<Seat> before, Outbox<Long, RendezvousMessage> out) {
        for (Seat seat : roster.holders()) {
            if (before.contains(seat)) {
                continue;
            }
            if (seat.hasLeft) {
                news.tellForGood(death(seat, "it left while it was admitted"), out);
            } else if (seat.ended) {
                news.tellForGood(death(seat, "its process ended while it was admitted"), out);
            } else if (silences.isLost(seat)) {
                silences.tellThatLost(seat);
            }
        }
    }

    private static RendezvousMessage.Death death(Seat seat, String reason) {
        return new RendezvousMessage.Death(seat.id(), seat.nonceIfNamesChange(), reason);
    }

    /** G11: announces the spares of an elastic world to the members if the world has room. */
    private void callSpares(Outbox<Long, RendezvousMessage> out) {
        for (Seat seat : roster.waiting()) {
            if (!seat.held) {
                news.announce(seat, out);
            }
        }
    }

    /**
     * Handles the message of a member that tells of an earlier epoch. A process that was in that world and is not in
     * the present one may still run, so it is excluded.
     */
    private void excludeUnlisted(RendezvousMessage.Committed world, Outbox<Long, RendezvousMessage> out) {
        for (MemberRecord member : world.members()) {
            Seat seat = roster.listed(member);
            if (!roster.holds(seat) && !seat.ended) {
                exclude(seat, "the world has gone on without rank " + seat.id(), out);
            }
        }
    }

    private void exclude(Seat seat, String why, Outbox<Long, RendezvousMessage> out) {
        boolean isNew = !seat.excluded;
        seat.excluded = true;
        if (seat.out == null) {
            seat.out = new RendezvousMessage.Out(OutReason.FENCED, why);
        }
        out.send(seat.nonce(), seat.out);
        if (isNew) {
            listener.onExcluded(seat.id());
        }
    }

    private void leaveOut(Seat seat, RendezvousMessage.Out end, Outbox<Long, RendezvousMessage> out) {
        seat.out = end;
        out.send(seat.nonce(), end);
        listener.onLeftOut(seat.id());
        silences.settle(seat);
    }

    /**
     * Handles the message of a member that it runs. If that was not known, it was admitted, and from now on it is told
     * what the members are told. An open roll call ends.
     */
    private void onRuns(Seat seat, Outbox<Long, RendezvousMessage> out) {
        if (!seat.running) {
            seat.running = true;
            news.tellAgain(seat, out);
        }
        if (rollCall.isOpen()) {
            rollCall.end();
            receiveAll(mayRun(), out);
        }
    }

    /** @param told the name by which the listener knows the process */
    void fence(Seat seat, ProcessId told, String reason, Outbox<Long, RendezvousMessage> out) {
        seat.fence = reason;
        out.send(seat.nonce(), new RendezvousMessage.Fence(reason));
        listener.onFenced(told, reason);
        silences.settle(seat);
    }

    /**
     * Handles the end of a process, which is proven, or follows from its lease. All members are told, if they had heard
     * of the process and it had not left. A successor that waits for its slot is announced, if it may be announced now.
     */
    void onEnded(Seat seat, String reason, long nowNs, Outbox<Long, RendezvousMessage> out) {
        seat.ended = true;
        if ((roster.holds(seat) || seat.announced) && !seat.hasLeft) {
            RendezvousMessage end = seat.saidGoodbye
                    ? new RendezvousMessage.Departed(seat.id(), seat.nonceIfNamesChange())
                    : death(seat, silences.reasonOf(seat, reason));
            news.tellForGood(end, out);
        }
        silences.settle(seat);
        if (!seat.saidGoodbye) {
            leaveBehind(seat, out);
        }
        for (Seat successor : roster.waiting()) {
            if (successor.id().slot() == seat.id().slot() && !successor.held) {
                news.announce(successor, out);
            }
        }
        lookAround(nowNs, out);
    }

    /**
     * Refuses or fences the nonce of a process that has ended. If the process left another one behind with the same
     * nonce, that one must not go on as this rank.
     */
    private static void leaveBehind(Seat seat, Outbox<Long, RendezvousMessage> out) {
        String why = "the process that was started as rank " + seat.id() + " has ended";
        if (seat.running) {
            seat.fence = why;
            out.send(seat.nonce(), new RendezvousMessage.Fence(why));
        } else if (seat.out == null) {
            seat.out = new RendezvousMessage.Out(OutReason.FENCED, why);
            out.send(seat.nonce(), seat.out);
        }
    }

    /**
     * V14: begins a roll call, or gives up the world, if no process is known to run. The world is given up only when no
     * process can be running in it.
     */
    private void lookAround(long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (!isLeft()) {
            return;
        }
        List<Seat> mayRun = mayRun();
        if (!rollCall.isOpen() && !mayRun.isEmpty()) {
            rollCall.begin(round, mayRun, nowNs, out);
        } else if (!rollCall.isOpen() || rollCall.hasAll(mayRun)) {
            leave(mayRun, out);
        }
    }

    /**
     * Whether no process is known to run: each member has ended, was given up, has said goodbye, or was never heard to
     * run, and no excluded process can run.
     */
    private boolean isLeft() {
        for (Seat seat : roster.holders()) {
            if (seat.running && !seat.isStill() && !seat.saidGoodbye) {
                return false;
            }
        }
        for (Seat seat : roster.all()) {
            if (seat.excluded && !seat.isStill()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the seats of processes that may run without the core's knowledge: those that wait, and the members that
     * were not heard to run. They are asked in a roll call once all processes that are known to run are gone.
     */
    private List<Seat> mayRun() {
        List<Seat> mayRun = roster.waiting();
        for (Seat seat : roster.holders()) {
            if (!seat.running && seat.isHere() && !seat.isGivenUp) {
                mayRun.add(seat);
            }
        }
        return mayRun;
    }

    private void leave(List<Seat> waiting, Outbox<Long, RendezvousMessage> out) {
        rollCall.end();
        if (!hasDeparted()) {
            gone = run.restarts() || run.isElastic();
            return;
        }
        over = new RendezvousMessage.Out(OutReason.CLOSED, "all processes of the world have finalized, or died");
        for (Seat seat : waiting) {
            leaveOut(seat, over, out);
        }
    }

    /**
     * Whether a member has finalized, or, in an elastic world, a process that members may have admitted without the
     * core's knowledge.
     */
    private boolean hasDeparted() {
        for (Seat seat : roster.all()) {
            if (seat.saidGoodbye && (roster.holds(seat) || seat.joiner != null && !seat.excluded)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lets the judge act. V9: once the time of a roll call is over, refuses the processes that have joined during it.
     */
    void onTick(long nowNs, Outbox<Long, RendezvousMessage> out) {
        if (silences.onTick()) {
            lookAround(nowNs, out);
        }
        if (!rollCall.isLate(nowNs)) {
            return;
        }
        for (Seat seat : roster.waiting()) {
            if (seat.held) {
                RendezvousMessage.Out end = new RendezvousMessage.Out(
                        OutReason.TIMEOUT,
                        "waited " + run.joinTimeoutNs() / 1_000_000 + " ms (ulfm.rdzv.join) for others to say whether"
                                + " they run: state ROLLCALL");
                leaveOut(seat, end, out);
            }
        }
        lookAround(nowNs, out);
    }

    /** Handles the messages of a process that has joined, about the running world. */
    private final class Words implements RendezvousMessage.OfMember.Handler {
        private final Seat from;
        private final long nowNs;
        private final Outbox<Long, RendezvousMessage> out;

        Words(Seat from, long nowNs, Outbox<Long, RendezvousMessage> out) {
            this.from = from;
            this.nowNs = nowNs;
            this.out = out;
        }

        /**
         * V13: a world of a later epoch is adopted from any sender that is in it, if all its members have joined and,
         * in an elastic job, have slots and are not too many.
         */
        @Override
        public void onCommitted(RendezvousMessage.Committed world) {
            if (world.round() != round || world.epoch() < 1 || !lists(world)) {
                return;
            }
            if (!isOfKnown(world)) {
                exclude(from, "rank " + from.id() + " is in a world with processes that never joined", out);
            } else if (run.isElastic() && !isPossible(world)) {
                exclude(
                        from,
                        "rank " + from.id() + " is in a world of "
                                + world.members().size() + " of at most " + run.size()
                                + " members, or with one that has no slot",
                        out);
            } else if (world.epoch() > epoch) {
                adopt(from, world, out);
            } else if (world.epoch() < epoch) {
                excludeUnlisted(world, out);
            } else if (world.digest() != digest) {
                exclude(from, "rank " + from.id() + " is in another world than the first that was heard of", out);
            }
            if (roster.holds(from) && from.out == null) {
                onRuns(from, out);
            }
            if (run.isElastic() && !rollCall.isOpen()) {
                callSpares(out);
            }
            silences.settleAll();
            lookAround(nowNs, out);
        }

        /** Whether all members of a world have slots, and there are no more of them than the elastic world may have. */
        private boolean isPossible(RendezvousMessage.Committed world) {
            for (MemberRecord member : world.members()) {
                if (Joiner.isProvisional(member.id())) {
                    return false;
                }
            }
            return world.members().size() <= run.size();
        }

        /**
         * Whether the sender is in the world that its message lists. In an elastic world its name there may be new to
         * the core.
         */
        private boolean lists(RendezvousMessage.Committed world) {
            for (MemberRecord member : world.members()) {
                if (run.isElastic() ? member.nonce() == from.nonce() : member.equals(from.member)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void onStillWaiting(RendezvousMessage.StillWaiting answer) {
            if (rollCall.onAnswer(from, answer)) {
                lookAround(nowNs, out);
            }
        }

        @Override
        public void onAbort(RendezvousMessage.Abort abort) {
            listener.onAbort(from.id(), abort.code(), abort.reason());
        }

        @Override
        public void onGoodbye(RendezvousMessage.Goodbye goodbye) {
            if (!from.saidGoodbye) {
                from.saidGoodbye = true;
                from.heldForFailed = goodbye.heldForFailed();
                listener.onGoodbye(from.id(), goodbye.heldForFailed());
                silences.settle(from);
            }
            out.send(from.nonce(), new RendezvousMessage.GoodbyeHeard());
            lookAround(nowNs, out);
        }

        /**
         * V12: the members are told of a death, unless the listener ends the job by it: a departure would mean that
         * Finalize is decided (F6). The process may still run its shutdown hooks, so only its proven end counts for the
         * end of the world.
         */
        @Override
        public void onLeave(RendezvousMessage.Leave leave) {
            if (!from.saidGoodbye && !from.hasLeft && from.running && roster.holds(from)) {
                from.hasLeft = true;
                if (listener.onLeave(from.id(), leave.why())) {
                    news.tellForGood(death(from, "it has left: " + leave.why()), out);
                }
                silences.settle(from);
            }
            out.send(from.nonce(), new RendezvousMessage.LeaveHeard());
            if (run.isElastic() && !roster.holds(from)) {
                leaveWaiting(leave.why());
            }
        }

        /** Handles the leaving of a process of an elastic world that waits and does not run. */
        private void leaveWaiting(String why) {
            from.hasLeft = true;
            from.out = new RendezvousMessage.Out(OutReason.FENCED, "the process has left: " + why);
            if (listener.onLeave(from.id(), why) && from.announced) {
                news.tellForGood(death(from, "it has left: " + why), out);
            }
            silences.settle(from);
            lookAround(nowNs, out);
        }

        @Override
        public void onReached(RendezvousMessage.Reached point) {
            if (from.reached.add(point.rule())) {
                listener.onReached(from.id(), point.rule());
            }
        }

        @Override
        public void onWaits(RendezvousMessage.Waits waits) {
            if (from.hasUnheard()) {
                from.unheard().answered(waits.request());
            }
            listener.onWaits(from.id(), waits.request(), waits.report());
        }
    }
}
