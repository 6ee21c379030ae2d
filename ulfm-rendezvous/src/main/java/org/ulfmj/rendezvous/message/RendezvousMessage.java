package org.ulfmj.rendezvous.message;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.transport.MemberRecord;

/**
 * What a rank and the launcher say to each other.
 *
 * <p>To gather: a rank says {@link Join} on every new connection; the core answers, or waits. When all slots are taken
 * it freezes a round and sends the {@link Table} to all ranks, which {@link Confirm} it; once all have, {@link Final}
 * makes it the world. {@link Wait} and {@link Out} are the other answers to a Join.
 *
 * <p>In an elastic world a process says {@link JoinAnywhere} in place of Join, and finds its slot in the Table. A
 * process that waits is announced to the members by {@link Waiting}, and finds its slot in the members' message that it
 * is admitted.
 *
 * <p>To replace: a process that joins a world that runs is told {@link Wait}, and is announced to its members by
 * {@link Pending}; or {@link NoMore} says that no process will come. The members admit the process among themselves,
 * and each of them, newcomers too, says {@link Committed}. A newcomer that they left out is told Out. When all members
 * of the world are gone as far as the core knows, it asks the processes that wait by {@link Recall} whether they run; a
 * process that does not run answers {@link StillWaiting}. A process without a slot says {@link Spare} instead of Join,
 * and is told {@link Assign} when it is needed.
 *
 * <p>Afterwards: the launcher sends {@link Death}, {@link Departed}, {@link Fence} and {@link Abort}, again after every
 * Join of a running rank; ranks send {@link Goodbye} (answered by {@link GoodbyeHeard}), {@link Leave} (answered by
 * {@link LeaveHeard}), {@link Reached}, {@link Abort}. The launcher may send {@link AskWaits}, which is answered by
 * {@link Waits}. It sends each {@link Signal} with a number, because a signal is acted on once only. All other messages
 * may be sent any number of times without harm.
 *
 * <p>To the store a rank says {@link StoreAsk}, answered by {@link StoreAnswer} or {@link StoreExpired}. Those requests
 * are numbered, and each is carried out at most once.
 *
 * <p>To judge a silence (rules J1 to J5): a rank complains of another by {@link Suspect} and withdraws that by
 * {@link Heard}; the core asks {@link AreYouThere}, which is answered by {@link Here}, and asks a complainer
 * {@link DoYouHear}, which is answered by {@link StillNothing}, or by Heard. A process that was judged silent and
 * cannot be ended is told to all by {@link Silenced}.
 *
 * <p>In a job with leases (V15), or with {@code ulfm.ft.quorum=majority}, a process says {@link KeepAlive}, which is
 * answered by {@link Kept}.
 *
 * <p>A world is (round, epoch, table): the core counts rounds, and the members count the epochs inside a round.
 */
public sealed interface RendezvousMessage {
    /** Appends the type of this message, then its fields. {@link RendezvousCodec} reads them. */
    void writeTo(WireWriter out);

    private static String nonceText(long nonce) {
        return nonce == 0 ? "" : ", nonce=" + Long.toHexString(nonce);
    }

    /** What the core says to a process. */
    sealed interface ToRank extends RendezvousMessage {
        /** Calls the method of the handler that is for this message. */
        void tellRank(Handler handler);

        /** What takes the words of the core. */
        interface Handler {
            void onTable(Table message);

            void onFinal(Final message);

            void onWait(Wait message);

            void onOut(Out message);

            void onPending(Pending message);

            void onWaiting(Waiting message);

            void onNoMore(NoMore message);

            void onRecall(Recall message);

            void onAssign(Assign message);

            void onDeath(Death message);

            void onDeparted(Departed message);

            void onFence(Fence message);

            void onAbort(Abort message);

            void onGoodbyeHeard(GoodbyeHeard message);

            void onLeaveHeard(LeaveHeard message);

            void onAreYouThere(AreYouThere message);

            void onDoYouHear(DoYouHear message);

            void onSilenced(Silenced message);

            void onAskWaits(AskWaits message);

            void onSignal(Signal message);

            void onStoreAnswer(StoreAnswer message);

            void onStoreExpired(StoreExpired message);

            void onKept(Kept message);
        }
    }

    /** Messages of members, and of processes that wait, to the core about the world. */
    sealed interface OfMember extends RendezvousMessage {
        /** Calls the method of the handler that is for this message. */
        void tellWorld(Handler handler);

        /** What takes the words of members. */
        interface Handler {
            void onCommitted(Committed message);

            void onStillWaiting(StillWaiting message);

            void onAbort(Abort message);

            void onGoodbye(Goodbye message);

            void onLeave(Leave message);

            void onReached(Reached message);

            void onWaits(Waits message);
        }
    }

    /**
     * Rank to core, first on every connection. If the core knows the process, the core sends its present answer again.
     *
     * @param round of the world in which this process runs; 0 if it does not run
     * @param epoch of that world
     */
    record Join(MemberRecord member, int round, int epoch) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            member.writeTo(out.putByte(RendezvousCodec.JOIN));
            out.putInt(round).putInt(epoch);
        }
    }

    /**
     * As {@link Join}, from a process of an elastic world.
     *
     * @param joiner the process under any name: the core does not read the name
     */
    record JoinAnywhere(Joiner joiner, int round, int epoch) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            joiner.writeTo(out.putByte(RendezvousCodec.JOIN_ANYWHERE));
            out.putInt(round).putInt(epoch);
        }
    }

    /** Core to every member of a frozen round: these members will be the world once all of them have confirmed. */
    record Table(int round, List<MemberRecord> members) implements ToRank {
        public Table {
            members = List.copyOf(members);
        }

        @Override
        public void writeTo(WireWriter out) {
            RendezvousCodec.putMembers(out.putByte(RendezvousCodec.TABLE).putInt(round), members);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onTable(this);
        }
    }

    /** Member to core: the member's listener is bound, and it has the table of this round. */
    record Confirm(int round) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.CONFIRM).putInt(round);
        }
    }

    /** Core to every member: all have confirmed, and this is the world. */
    record Final(int round, int epoch, List<MemberRecord> members) implements ToRank {
        public Final {
            members = List.copyOf(members);
        }

        @Override
        public void writeTo(WireWriter out) {
            RendezvousCodec.putMembers(
                    out.putByte(RendezvousCodec.FINAL).putInt(round).putInt(epoch), members);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onFinal(this);
        }
    }

    /**
     * Core to a process that has to wait.
     *
     * @param members of the world to which the process waits to be admitted, dead ones included, without the process
     *     itself; empty for a process that says {@link Spare}, and if there is no such world but one may be gathered
     */
    record Wait(int round, int epoch, List<MemberRecord> members) implements ToRank {
        public Wait {
            members = List.copyOf(members);
        }

        @Override
        public void writeTo(WireWriter out) {
            RendezvousCodec.putMembers(
                    out.putByte(RendezvousCodec.WAIT).putInt(round).putInt(epoch), members);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onWait(this);
        }
    }

    /** Core to a process that will not be, or is no longer, part of the world. */
    record Out(OutReason reason, String text) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.OUT).putByte(reason.ordinal()).putText(text);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onOut(this);
        }
    }

    /**
     * Core to all members of a static world, and to its announced newcomers of other slots: this process waits to be
     * admitted to it.
     */
    record Pending(MemberRecord member) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            member.writeTo(out.putByte(RendezvousCodec.PENDING));
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onPending(this);
        }
    }

    /** Core to all members of an elastic world: this process waits to be admitted. */
    record Waiting(Joiner joiner) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            joiner.writeTo(out.putByte(RendezvousCodec.WAITING));
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onWaiting(this);
        }
    }

    /** Core to all members: no process will come to take the place of this slot's process. */
    record NoMore(int slot, String why) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.NO_MORE).putInt(slot).putText(why);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onNoMore(this);
        }
    }

    /**
     * Member to core, when it enters a later epoch of the world and again after each Join: these are the members of the
     * world now. The word of one member is enough.
     *
     * @param members in slot order
     * @param digest computed by the members: two different worlds of one epoch differ in it
     */
    record Committed(int round, int epoch, List<MemberRecord> members, long digest) implements OfMember {
        public Committed {
            members = List.copyOf(members);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.COMMITTED).putInt(round).putInt(epoch);
            RendezvousCodec.putMembers(out.putLong(digest), members);
        }

        @Override
        public void tellWorld(OfMember.Handler handler) {
            handler.onCommitted(this);
        }
    }

    /** Core to a process that waits: do you run in the world of this round? */
    record Recall(int round, int call) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.RECALL).putInt(round).putInt(call);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onRecall(this);
        }
    }

    /**
     * Process to core, the answer to {@link Recall}: the process does not run. A process that has entered a later epoch
     * says {@link Committed}.
     */
    record StillWaiting(int call) implements OfMember {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.STILL_WAITING).putInt(call);
        }

        @Override
        public void tellWorld(OfMember.Handler handler) {
            handler.onStillWaiting(this);
        }
    }

    /**
     * Process without a slot to core, first on every connection: it is ready to take any place.
     *
     * @param number that the launcher gave it, from 1
     */
    record Spare(int number) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.SPARE).putInt(number);
        }
    }

    /** Core to a spare: this is its place, and it is to join as this process. */
    record Assign(ProcessId process) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.ASSIGN).putProcess(process);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onAssign(this);
        }
    }

    /**
     * Core to all members: the process has ended without a goodbye, has left, or counts as ended because its lease is
     * over.
     *
     * @param nonce the nonce of the process in an elastic world, where names change (G10); 0 in a static one
     */
    record Death(ProcessId process, long nonce, String reason) implements ToRank {
        /** A death in a static world. */
        public Death(ProcessId process, String reason) {
            this(process, 0, reason);
        }

        @Override
        public void writeTo(WireWriter out) {
            if (nonce == 0) {
                out.putByte(RendezvousCodec.DEATH).putProcess(process).putText(reason);
            } else {
                out.putByte(RendezvousCodec.DEATH_BY_NONCE)
                        .putProcess(process)
                        .putLong(nonce)
                        .putText(reason);
            }
        }

        @Override
        public String toString() {
            return "Death[process=" + process + nonceText(nonce) + ", reason=" + reason + "]";
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onDeath(this);
        }
    }

    /**
     * Core to all members: the process had said goodbye and has ended.
     *
     * @param nonce as in {@link Death}
     */
    record Departed(ProcessId process, long nonce) implements ToRank {
        /** A departure in a static world. */
        public Departed(ProcessId process) {
            this(process, 0);
        }

        @Override
        public void writeTo(WireWriter out) {
            if (nonce == 0) {
                out.putByte(RendezvousCodec.DEPARTED).putProcess(process);
            } else {
                out.putByte(RendezvousCodec.DEPARTED_BY_NONCE)
                        .putProcess(process)
                        .putLong(nonce);
            }
        }

        @Override
        public String toString() {
            return "Departed[process=" + process + nonceText(nonce) + "]";
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onDeparted(this);
        }
    }

    /** Core to one process that has joined: end yourself, the others go on without you. */
    record Fence(String reason) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.FENCE).putText(reason);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onFence(this);
        }
    }

    /** Rank to core: end the job with this code; core to all: the job ends. */
    record Abort(int code, String reason) implements ToRank, OfMember {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.ABORT).putInt(code).putText(reason);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onAbort(this);
        }

        @Override
        public void tellWorld(OfMember.Handler handler) {
            handler.onAbort(this);
        }
    }

    /** Rank to core: Finalize is decided, and these slots are marked failed. */
    record Goodbye(SlotSet heldForFailed) implements OfMember {
        @Override
        public void writeTo(WireWriter out) {
            heldForFailed.writeTo(out.putByte(RendezvousCodec.GOODBYE));
        }

        @Override
        public void tellWorld(OfMember.Handler handler) {
            handler.onGoodbye(this);
        }
    }

    /** Core to rank: the goodbye was heard. However the process ends, its end now counts as a departure. */
    record GoodbyeHeard() implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.GOODBYE_HEARD);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onGoodbyeHeard(this);
        }
    }

    /**
     * Process to core: the process takes part in nothing any more and its links are closed, although Finalize is not
     * decided. It ends soon.
     *
     * @param why it leaves, in a word or a clause: {@code preempted}
     */
    record Leave(String why) implements OfMember {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.LEAVE).putText(why);
        }

        @Override
        public void tellWorld(OfMember.Handler handler) {
            handler.onLeave(this);
        }
    }

    /** Core to rank: the leaving of the rank was heard. */
    record LeaveHeard() implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.LEAVE_HEARD);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onLeaveHeard(this);
        }
    }

    /** Rank to core: the rank has reached the point of this injection rule, or another mark with this number. */
    record Reached(int rule) implements OfMember {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.REACHED).putInt(rule);
        }

        @Override
        public void tellWorld(OfMember.Handler handler) {
            handler.onReached(this);
        }
    }

    /**
     * Rank to core, and again after each Join until the rank withdraws it, or the process is known to have ended or
     * counts as failed: the rank has heard nothing of this process, which counts as live, for the detector's timeout,
     * or has lost the link to it.
     */
    record Suspect(ProcessId process) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.SUSPECT).putProcess(process);
        }
    }

    /** Rank to core: the rank has heard this process, of which it had complained. */
    record Heard(ProcessId process) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.HEARD).putProcess(process);
        }
    }

    /**
     * Core to member: answer that you live, once a heartbeat to each complainer is queued.
     *
     * @param complainers the ranks that say that they hear nothing of the member; empty if none does
     */
    record AreYouThere(long question, List<ProcessId> complainers) implements ToRank {
        public AreYouThere {
            complainers = List.copyOf(complainers);
        }

        @Override
        public void writeTo(WireWriter out) {
            RendezvousCodec.putProcesses(
                    out.putByte(RendezvousCodec.ARE_YOU_THERE).putLong(question), complainers);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onAreYouThere(this);
        }
    }

    /** Member to core, the answer to {@link AreYouThere}. */
    record Here(long question) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.HERE).putLong(question);
        }
    }

    /**
     * Process to core, in a job with leases or with {@code ulfm.ft.quorum=majority}: after each Join, and from then on
     * each {@code ulfm.rdzv.keepalive}. A process of the launcher's host sends none.
     */
    record KeepAlive(int number) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.KEEP_ALIVE).putInt(number);
        }
    }

    /**
     * Core to process, the answer to {@link KeepAlive}; the core sends none once the process counts as lost or has
     * ended.
     */
    record Kept(int number) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.KEPT).putInt(number);
        }

        @Override
        public void tellRank(Handler handler) {
            handler.onKept(this);
        }
    }

    /** Core to complainer: the process has answered; do you hear it now? */
    record DoYouHear(long question, ProcessId process) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.DO_YOU_HEAR).putLong(question).putProcess(process);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onDoYouHear(this);
        }
    }

    /**
     * Complainer to core, the answer to {@link DoYouHear}: the complainer still hears nothing. A complainer that hears
     * the process says {@link Heard}.
     */
    record StillNothing(long question, ProcessId process) implements RendezvousMessage {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.STILL_NOTHING).putLong(question).putProcess(process);
        }
    }

    /**
     * Core to all members: the process was judged silent, and SIGKILL cannot end it now, or cannot reach its host. It
     * counts as failed, though its end is not proven.
     *
     * @param nonce as in {@link Death}
     */
    record Silenced(ProcessId process, long nonce, String reason) implements ToRank {
        /** A process of a static world. */
        public Silenced(ProcessId process, String reason) {
            this(process, 0, reason);
        }

        @Override
        public void writeTo(WireWriter out) {
            if (nonce == 0) {
                out.putByte(RendezvousCodec.SILENCED).putProcess(process).putText(reason);
            } else {
                out.putByte(RendezvousCodec.SILENCED_BY_NONCE)
                        .putProcess(process)
                        .putLong(nonce)
                        .putText(reason);
            }
        }

        @Override
        public String toString() {
            return "Silenced[process=" + process + nonceText(nonce) + ", reason=" + reason + "]";
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onSilenced(this);
        }
    }

    /** Core to member: which processes does it wait for? */
    record AskWaits(long request) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.ASK_WAITS).putLong(request);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onAskWaits(this);
        }
    }

    /**
     * Core to member: the launcher got this signal for the program, because the signal would end the virtual machine if
     * it were sent to that.
     *
     * @param number of the signal among those for this process, from 1 on
     * @param name the name of the signal without SIG
     */
    record Signal(long number, String name) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.SIGNAL).putLong(number).putText(name);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onSignal(this);
        }
    }

    /**
     * Rank to core, the answer to {@link AskWaits}. The core does not read the report: only the rank and the launcher
     * do. A rank that has not called MPI for long says so unasked, without a report.
     *
     * @param request the number of the question, or {@link #UNASKED}
     */
    record Waits(long request, byte[] report) implements OfMember {
        /** The number in place of a question's in a message that is no answer. */
        public static final long UNASKED = 0;

        /** Longest report. */
        public static final int MAX_BYTES = 64 << 10;

        public Waits {
            if (report.length > MAX_BYTES) {
                throw new WireFormatException(
                        "report of " + report.length + " bytes, at most " + MAX_BYTES + " are allowed");
            }
        }

        @Override
        public String toString() {
            return "Waits[" + request + ", " + report.length + " bytes]";
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.WAITS).putLong(request).putBlob(report);
        }

        @Override
        public void tellWorld(OfMember.Handler handler) {
            handler.onWaits(this);
        }
    }

    /**
     * Rank to store (S2): a request.
     *
     * @param id number of the request in the session: 1, 2, 3 …
     * @param open numbers of the earlier requests whose answers the rank lacks; it has the answers to all others
     */
    record StoreAsk(long session, long id, List<Long> open, StoreRequest request) implements RendezvousMessage {
        public StoreAsk {
            open = List.copyOf(open);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.STORE_ASK).putLong(session).putLong(id);
            RendezvousCodec.putNumbers(out, open);
            request.writeTo(out);
        }
    }

    /** Store to rank, the answer to {@link StoreAsk}. */
    record StoreAnswer(long id, StoreResult result) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            result.writeTo(out.putByte(RendezvousCodec.STORE_ANSWER).putLong(id));
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onStoreAnswer(this);
        }
    }

    /** Store to rank: this session does not exist, or has ended. */
    record StoreExpired(long session, String why) implements ToRank {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(RendezvousCodec.STORE_EXPIRED).putLong(session).putText(why);
        }

        @Override
        public void tellRank(ToRank.Handler handler) {
            handler.onStoreExpired(this);
        }
    }
}
