package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.rabit.engine.CommitNote;
import org.ulfmj.rabit.engine.Item;
import org.ulfmj.rabit.engine.Mismatch;
import org.ulfmj.rabit.engine.ModelFault;
import org.ulfmj.rabit.engine.Parcel;
import org.ulfmj.rabit.engine.PlanTrouble;
import org.ulfmj.rabit.engine.Position;
import org.ulfmj.rabit.engine.RecoveryPlan;
import org.ulfmj.rabit.engine.Replica;
import org.ulfmj.rabit.engine.Snapshot;
import org.ulfmj.rabit.engine.SummaryRecord;
import org.ulfmj.rabit.spill.Spill;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.DescriptionMismatch;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.NotReplaced;
import org.ulfmj.runtime.error.WaitGivenUp;
import org.ulfmj.runtime.inject.KillPoints;
import org.ulfmj.runtime.recovery.AgreedNotes;

/**
 * B2 and B3: the steps that a rank takes with all others before a checkpoint counts, and after a failure. Every step of
 * a recovery may meet the next failure; the recovery then begins again, and makes a new plan from what each rank has.
 */
final class Recovery {
    /** The longest content of a checkpoint's file: the head needs room in front of it. */
    private static final long LONGEST_SPILLED_BYTES = Integer.MAX_VALUE - (1 << 16);

    private final Session session;
    private final Replica replica;
    private final LocalModels locals;
    /** The checkpoints on the disk; null if the user gave no directory for them. */
    private final Spill spill;

    private final FirstCommit firstCommit;

    private Repartition repartition;
    /**
     * Whether the program has to go back to a checkpoint or to its beginning. Another attempt of the same recovery
     * cannot take that back.
     */
    private boolean goesBack;

    private String reason = "";
    /**
     * The text about a deadline that passed before this recovery began, put in front of the message if this rank then
     * waits in vain in the recovery too; empty if no deadline passed.
     */
    private String late = "";
    /** Whether this rank has begun to tell the other ranks of an error of its program. */
    private boolean isFailing;

    Recovery(Session session) {
        this.session = session;
        this.replica = session.replica();
        this.locals = new LocalModels(replica, domain());
        String directory = session.settings().spillDirectory();
        if (!directory.isEmpty() && session.isElastic()) {
            throw new IllegalArgumentException("ulfm.rabit.spill is for jobs of a fixed number of ranks: the files have"
                    + " results of the bootstrap phase, which belong to one number");
        }
        this.spill = directory.isEmpty()
                ? null
                : new Spill(Path.of(directory), session.spillSeal(), session.slot(), !session.joins());
        this.firstCommit = new FirstCommit(session.jobStore());
    }

    /** The failure domain of this rank: a hash of the name of its host. */
    private static long domain() {
        return MpiRank.get().hostName().hashCode();
    }

    void onShrink(Repartition newRepartition) {
        repartition = newRepartition;
    }

    // ------------------------------------------------------------------------------------------ commit

    /**
     * B2: commits a checkpoint, or the end of the job. True if it is committed; false if there was a recovery instead.
     * Before the agreement all ranks meet in a described operation, which finds a rank that is in another call: such a
     * rank would neither come to the agreement nor acknowledge a local model, and no rank would know why. In a job that
     * is not elastic and had one rank from the start there is neither meeting nor agreement.
     */
    boolean commit(CommitNote.Intent intent, ByteBuffer local) {
        boolean ends = intent == CommitNote.Intent.SHUTDOWN;
        String call = intent + (local == null ? "" : " with a local model");
        if (!ends) {
            requireMarked(call);
        }
        if (session.isAlone()) {
            if (!ends) {
                replica.useLocals(local != null);
            }
            return true;
        }
        try {
            session.epoch().barrier(replica.description(intent, local != null));
            if (!ends) {
                replica.useLocals(local != null);
            }
            if (local != null) {
                locals.stage(session.epoch(), session.slot(), local);
            }
        } catch (CallError fault) {
            return abandoned(fault, call);
        }
        session.faultPoint(ends ? KillPoints.RABIT_FINALIZE : KillPoints.RABIT_BEFORE_COMMIT);
        CommitNote note = replica.note(intent, local != null, RabitCallSite.here());
        AgreedNotes agreed;
        try {
            agreed = session.epoch().agreeToCommit(note.toBytes(session.epoch().mostNoteBytes()));
        } catch (WaitGivenUp inVain) {
            throw session.over(new DeadlineException("Rabit." + call + " " + inVain.getMessage(), inVain));
        } catch (CallError fault) {
            return abandoned(fault, call);
        }
        CommitNote.Verdict verdict = CommitNote.judge(
                agreed.isOfThisKindOnly(),
                !agreed.failed().isEmpty(),
                agreed.notes(),
                session.epoch().members());
        if (verdict == CommitNote.Verdict.COMMITTED) {
            session.faultPoint(KillPoints.RABIT_AFTER_COMMIT);
            return true;
        }
        replica.notCommitted();
        recover(trouble(PlanTrouble.Kind.FAILURE, call, ""));
        return false;
    }

    private boolean abandoned(CallError fault, String call) {
        replica.notCommitted();
        recover(fault, call);
        return false;
    }

    private void requireMarked(String call) {
        try {
            firstCommit.begin();
        } catch (WaitGivenUp inVain) {
            throw session.over(new DeadlineException("Rabit." + call + " " + inVain.getMessage(), inVain));
        }
    }

    /**
     * Throws, before the commit, if the staged checkpoint is too long for a file of the spill directory. Nothing of
     * this version is committed then.
     */
    void requireSpillable(ByteBuffer local) {
        if (spill == null || spill.end() != null) {
            return;
        }
        long bytes = replica.stagedSnapshot(local).lengthBytes();
        if (bytes > LONGEST_SPILLED_BYTES) {
            replica.notCommitted();
            throw failed(
                    CommitNote.Intent.CHECKPOINT.toString(),
                    new IllegalArgumentException("ulfm.rabit.spill: models and results of the bootstrap phase have "
                            + bytes + " bytes together, more than the " + LONGEST_SPILLED_BYTES
                            + " that a file takes"));
        }
    }

    /**
     * Writes the committed version to the disk; only after the commit, so that a version that was not agreed on is
     * never found there. A disk that takes no more ends the writing and not the job, which has lost nothing.
     */
    void spill() {
        if (spill == null || spill.end() != null) {
            return;
        }
        spill.write(
                replica.version(), replica.local() != null, replica.snapshot().toBytes());
        if (spill.end() != null) {
            System.err.println("rank " + session.rank() + " writes no more checkpoints to a disk, and goes on without:"
                    + " ulfm.rabit.spill: " + spill.end());
        }
    }

    /** Removes this rank's checkpoints from the disk: the job has ended normally. */
    void forgetSpilled() {
        if (spill != null) {
            spill.clear();
        }
    }

    /**
     * After a version was committed: begins a recovery that lets waiting processes into an elastic job, if this rank
     * knows of any. Ranks that do not know of such processes yet join the recovery in a later call. If the ranks of the
     * job are others then, all make the bootstrap phase again and go on from the committed version. Does nothing in a
     * program with local models: a process that comes in has none.
     *
     * @throws RollbackException if a process has come in, or a rank has died meanwhile
     */
    void letIn() {
        if (session.isAwaited() && !replica.usesLocals()) {
            recover(trouble(PlanTrouble.Kind.FAILURE, "", ""));
        }
    }

    // ------------------------------------------------------------------------------------------ recovery

    /**
     * The first step of a process that may have come into a running job, as a replacement does: it learns from the
     * other ranks what it lacks, and fetches that. In another process nothing is done.
     */
    void join() {
        if (session.joins() && !settle(trouble(PlanTrouble.Kind.FAILURE, "", ""))) {
            recover(trouble(PlanTrouble.Kind.FAILURE, "", ""));
        }
        endRollback();
    }

    /**
     * Recovers from a failure, with all others.
     *
     * @throws RollbackException if the program has to go back
     * @throws RabitException if this rank cannot go on, or no rank can
     */
    void recover(CallError fault, String call) {
        if (fault instanceof DescriptionMismatch) {
            recover(trouble(PlanTrouble.Kind.MISMATCH, call, fault.fact()));
        } else if (fault instanceof WaitGivenUp) {
            recover(trouble(PlanTrouble.Kind.DEADLINE, call, call + " " + fault.getMessage()));
        } else if (isFailure(fault)) {
            recover(trouble(PlanTrouble.Kind.FAILURE, call, ""));
        } else {
            throw session.broken(new RabitException("Rabit." + call + ": " + fault.fact(), fault));
        }
    }

    private void recover(PlanTrouble trouble) {
        if (!session.canRecover()) {
            throw session.over(unrecovered(trouble));
        }
        if (trouble.kind() == PlanTrouble.Kind.DEADLINE) {
            late = trouble.text() + "; then ";
        }
        SlotRuns before = session.epoch().members();
        int rankBefore = session.rank();
        boolean isSettled = false;
        while (!isSettled) {
            session.faultPoint(KillPoints.RABIT_RECOVER);
            isSettled = replace() && settle(trouble);
        }
        late = ""; // all ranks have come to this recovery
        if (repartition != null && !before.equals(session.epoch().members())) {
            repartition.repartition(rankBefore, session.rank(), session.size());
        }
        endRollback();
    }

    /** Without fault tolerance there is no recovery, and no other rank is told: this rank ends, and with it the job. */
    private static RabitException unrecovered(PlanTrouble trouble) {
        String text = "Rabit." + trouble + ": " + trouble.text();
        return switch (trouble.kind()) {
            case MISMATCH -> new DesyncException(text, null);
            case DEADLINE -> new DeadlineException(text, null);
            case ERROR -> new RabitException(text, null);
            case FAILURE ->
                new RabitException(
                        "Rabit." + trouble + ": a rank has failed, and with --with-ft none no rank recovers from that",
                        null);
        };
    }

    private void endRollback() {
        if (goesBack) {
            goesBack = false;
            throw new RollbackException(
                    replica.committedVersion(),
                    "all ranks go back to version " + replica.committedVersion() + ": " + reason);
        }
    }

    /**
     * B3.1, B3.2: revokes the epoch, and has the dead ranks replaced. Returns false after an error that tells of a
     * further failure, so that this step has to be tried again.
     */
    private boolean replace() {
        int calls = 0;
        while (true) {
            try {
                session.epoch().revoke();
                session.enter(session.epoch().replace(!replica.usesLocals()));
                return true;
            } catch (NotReplaced not) {
                calls++;
                if (!not.mayStillCome() || calls >= session.settings().replaceCalls()) {
                    throw session.over(new TooManyFailuresException(
                            "no process takes the place of a dead rank: " + not.fact(), not));
                }
                // A process that was started for the slot may be reading its input before it joins, so replace() is
                // called again. All ranks were told the same outcome, so all of them call it again.
            } catch (CallError fault) {
                if (isFailure(fault)) {
                    return false;
                }
                requireNotLate(fault, "the other ranks to recover");
                throw session.broken(new RabitException("the dead ranks are not replaced: " + fault.fact(), fault));
            }
        }
    }

    /**
     * B3.3 to B3.6: agrees with all ranks of the epoch on the summary, and follows the plan of the recovery. Returns
     * false if the recovery has to be tried again.
     */
    private boolean settle(PlanTrouble trouble) {
        try {
            List<Integer> spilled = spill == null ? List.of() : spill.versions();
            SummaryRecord mine = replica.summary(
                    locals.ownDomain(),
                    spilled,
                    spill != null && spill.hasLocals(),
                    replica.isFresh() && firstCommit.isStillToCome(),
                    trouble);
            AgreedNotes agreed = session.epoch().agreeOnSummary(mine.toBytes());
            if (!agreed.isOfThisKindOnly() || !agreed.failed().isEmpty()) {
                return false;
            }
            SortedMap<Integer, SummaryRecord> records = new TreeMap<>();
            for (SortedMap.Entry<Integer, byte[]> note : agreed.notes().entrySet()) {
                records.put(note.getKey(), SummaryRecord.fromBytes(note.getValue()));
            }
            locals.learn(records.values());
            return follow(replica.plan(records), spilled);
        } catch (CallError fault) {
            requireNotLate(fault, "the other ranks, in a recovery");
            if (!isFailure(fault)) {
                throw session.broken(new RabitException("Rabit, in a recovery: " + fault.fact(), fault));
            }
            return false;
        } catch (ModelFault unusable) {
            // A model cannot be saved, or its bytes are not those that were saved. Other ranks fetch the same model,
            // and processes started in this rank's place could not use it either. So all ranks end.
            throw failed("recovery", unusable);
        }
    }

    /** @param spilled the versions on this rank's disk that this rank named in its summary */
    private boolean follow(RecoveryPlan plan, List<Integer> spilled) {
        switch (plan.outcome()) {
            case MISMATCH -> throw session.over(new DesyncException(plan.text(), null));
            case DEADLINE -> throw session.over(new DeadlineException(plan.text(), null));
            // Processes that are started in place of these ranks would not find what is missing either. So the whole
            // job ends.
            case TOO_MANY_FAILURES -> throw session.over(new TooManyFailuresException(plan.text(), null));
            case ERROR -> throw session.over(new RabitException(plan.text(), null));
            default -> {
                return goOn(plan, spilled);
            }
        }
    }

    private boolean goOn(RecoveryPlan plan, List<Integer> spilled) {
        boolean isFromSpill = plan.outcome() == RecoveryPlan.Outcome.FROM_SPILL;
        int version = plan.start().version();
        boolean isCountedOn = isFromSpill && spilled.contains(version);
        ByteBuffer onDisk = isCountedOn ? spill.whole(version) : null;
        if (isCountedOn && onDisk == null) {
            // The file on the disk is not whole. Nothing in memory is lost yet, so the recovery is tried again, and
            // this rank's next summary does not name that file.
            return false;
        }
        if (replica.follow(plan)) {
            goesBack = true;
            reason = plan.text();
        }
        if (isFromSpill && spill != null) {
            spill.forgetAbove(version);
        }
        session.faultPoint(KillPoints.RABIT_FETCH);
        Exchange exchange = new Exchange(session.epoch(), session.slot());
        try {
            exchange.run(plan, new Own(onDisk));
        } finally {
            for (Parcel parcel : exchange.received()) {
                take(parcel);
            }
        }
        if (isFromSpill && !replica.hasVersion(version)) {
            restore(onDisk, true);
        }
        replica.caughtUp(plan);
        return true;
    }

    /**
     * Gives the exchange the items that this rank holds. A named class and no lambda: linking a lambda would take time
     * while all ranks wait.
     */
    private final class Own implements Exchange.Source {
        private final ByteBuffer onDisk;

        Own(ByteBuffer onDisk) {
            this.onDisk = onDisk;
        }

        @Override
        public Parcel give(Item item) {
            return item.kind() == Item.Kind.SPILLED ? Parcel.ofSpill(item, onDisk.duplicate()) : replica.give(item);
        }
    }

    private void take(Parcel parcel) {
        if (parcel.item().kind() == Item.Kind.SPILLED) {
            restore(parcel.bytes(), false);
        } else {
            replica.take(parcel);
        }
    }

    private void restore(ByteBuffer content, boolean isOwn) {
        Snapshot snapshot = Snapshot.fromBytes(content);
        if (snapshot == null) {
            throw session.broken(new RabitException("a checkpoint on the disk was whole and is not any more", null));
        }
        replica.restore(snapshot, isOwn);
    }

    /**
     * This rank has found a mismatch, perhaps alone. Unless it is alone or there is no fault tolerance, it starts a
     * recovery, which tells the other ranks, so that all end with an error: the others may be in calls that this rank
     * will never make. Returns the error for the caller to throw.
     */
    RabitException desync(Mismatch wrong, String call) {
        if (!session.isAlone()) {
            try {
                recover(trouble(PlanTrouble.Kind.MISMATCH, call, wrong.getMessage()));
            } catch (RabitException told) {
                return told;
            }
        }
        return session.over(new DesyncException("Rabit." + call + ": " + wrong.getMessage(), wrong));
    }

    /**
     * This rank has met an error that would happen again to a new process in its place. So the whole job ends, and this
     * rank is not started again and again. With fault tolerance a recovery tells the other ranks of the error. Returns
     * the error for the caller to throw.
     */
    RabitException failed(String call, Exception own) {
        String text = text(own);
        RabitException mine = new RabitException("Rabit." + call + ": " + text, own);
        if (!session.isAlone() && !isFailing) {
            isFailing = true;
            try {
                recover(trouble(PlanTrouble.Kind.ERROR, call, text));
            } catch (RabitException told) {
                mine.addSuppressed(told);
            }
        }
        return session.over(mine);
    }

    private static String text(Exception own) {
        if (own instanceof ModelFault) {
            return own.getMessage(); // says what was thrown, too
        }
        return own.getCause() == null ? own.toString() : own + " (" + own.getCause() + ")";
    }

    private PlanTrouble trouble(PlanTrouble.Kind kind, String call, String text) {
        Position position = replica.position();
        return PlanTrouble.of(kind, position, call, RabitCallSite.here(), text);
    }

    /**
     * Throws if a wait in a recovery was in vain. A rank that does not come to a recovery cannot be told of anything:
     * this rank ends alone, and so does every rank that waits.
     */
    private void requireNotLate(CallError fault, String forWhom) {
        if (fault instanceof WaitGivenUp) {
            throw session.over(
                    new DeadlineException(late + "this rank waited for " + forWhom + ": " + fault.getMessage(), fault));
        }
    }

    private static boolean isFailure(CallError fault) {
        return fault.error() == ErrorClass.PROC_FAILED
                || fault.error() == ErrorClass.PROC_FAILED_PENDING
                || fault.error() == ErrorClass.REVOKED;
    }
}
