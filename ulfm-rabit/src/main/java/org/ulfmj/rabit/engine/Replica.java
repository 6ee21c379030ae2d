package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/**
 * One rank of the recovery mode: where its program is, what it has recorded, and what follows from that. It never waits
 * and never sends. Its driver runs operations, agreements and transfers, and tells it the outcome.
 *
 * <p>The idea: all ranks go through one sequence of operations, whose inputs follow from the checkpoint and from
 * earlier results. So a rank that is started again needs only the checkpoint and the results since then. It passes the
 * operations whose results it has without a message, and takes part in the first one that no living rank has finished.
 * For one thread.
 */
public final class Replica {
    private static final Shape BARRIER = Shape.broadcast("barrier", 0, 0, 0);
    private static final Shape MEETING = Shape.broadcast("meeting", 0, 0, 0);

    private final ProcessId me;
    private final int resultCopies;
    private final int localCopies;
    private final BootstrapCache bootstrap = new BootstrapCache();
    private final ResultLog log;
    private final Checkpoints checkpoints = new Checkpoints();
    private final SyncMeter meter;

    private SlotRuns members;
    private Keepers keepers;
    /** Number of ranks of the world that this rank last went on in; 0 before. */
    private int settledRanks;
    /** Stands for the members of that world. */
    private long settledLineup;

    private int phase = Position.BOOTSTRAP;
    private int version;
    private long sequence;
    /** The place before which this rank has got all results that its program needs; it may have dropped some again. */
    private Position reached = Position.START;
    /** Where all ranks of this epoch began to make operations together. */
    private Position start = Position.START;

    private int logVersion;
    private long horizon;
    private boolean fresh;
    private boolean usesLocals;
    private boolean localsAreDecided;
    private boolean rolledBack;

    /**
     * @param joins whether the process may come into a job that runs already, and so asks first
     * @param resultCopies the least number of keepers of each result
     * @param localCopies number of copies of a local model, besides its owner's
     * @param barrierBytes after so many bytes of results all ranks wait for each other, if no operation has made them
     *     wait
     */
    public Replica(
            ProcessId me, boolean joins, int resultCopies, int localCopies, long barrierBytes, ResultMemory memory) {
        this.me = me;
        this.resultCopies = resultCopies;
        this.localCopies = localCopies;
        this.log = new ResultLog(memory);
        this.meter = new SyncMeter(barrierBytes);
        this.fresh = joins;
    }

    /** Enters an epoch with these members. */
    public void enter(SlotRuns newMembers) {
        members = newMembers;
        keepers = Keepers.of(newMembers, me.slot(), resultCopies);
        if (settledRanks == 0 && !fresh) {
            settledRanks = newMembers.size();
            settledLineup = SummaryRecord.lineupOf(newMembers);
        }
    }

    // ------------------------------------------------------------------------------------------ operations

    public boolean isBootstrap() {
        return phase == Position.BOOTSTRAP;
    }

    public int version() {
        return version;
    }

    public long sequence() {
        return sequence;
    }

    public Position position() {
        return new Position(phase, version, sequence);
    }

    /**
     * B1.1: the recorded result of the operation that the program makes now; null if the operation must be made. With a
     * recorded result the program has passed the operation. No message is sent, and no result is dropped.
     *
     * @param place the place in the bootstrap phase; else null
     * @throws Mismatch if the others made another operation at this place, or never made this one in the bootstrap
     *     phase
     */
    public Entry replay(Shape shape, Place place) {
        rerunIfRolledBack();
        Entry entry = isBootstrap() ? bootstrap.find(place, shape) : log.get(sequence);
        if (entry == null) {
            requireLive(shape, place);
            return null;
        }
        if (!entry.shape().equals(shape)) {
            throw new Mismatch(
                    "this rank makes " + shape + " as " + position() + ", where the others made " + entry.shape());
        }
        if (isBootstrap()) {
            bootstrap.use(place);
        }
        advance(shape);
        return entry;
    }

    /**
     * B1.3: an operation that other ranks have passed is never made again. Throws if the program is about to do that,
     * or to make an operation of the bootstrap phase that the others, who have passed this place, never made.
     */
    private void requireLive(Shape shape, Place place) {
        if (isBootstrap() && bootstrap.used() < bootstrap.size()) {
            BootstrapCache.Kept other = bootstrap.firstUnused();
            throw new Mismatch(
                    "this rank makes " + shape + " at " + place + ", which the others never made; they made "
                            + other.entry().shape() + " at " + other.place()
                            + ", which it has not. Where ranks make one operation at different places of the program, give it a key");
        }
        if (isAtLeast(start)) {
            return;
        }
        if (isBootstrap()) {
            throw new Mismatch("this rank makes " + shape + " at " + place
                    + " before loadCheckpoint, which the others never" + " made: they are at " + start);
        }
        throw new IllegalStateException(
                "the result of " + position() + " is not recorded, and all others are at " + start);
    }

    /**
     * Whether this rank's place is the given one or comes after it. Compares like {@link Position#compareTo}, without
     * an object for each operation.
     */
    private boolean isAtLeast(Position place) {
        if (phase != place.phase()) {
            return phase > place.phase();
        }
        return version != place.version() ? version > place.version() : sequence >= place.sequence();
    }

    /** The number that names this operation in its messages. */
    public long description(Shape shape, Place place) {
        long where = place == null ? 0 : Shape.hash(place.id()) + bootstrap.occurrence(place);
        return shape.description(phase, version, sequence, where);
    }

    /** The number that names, in its messages, the barrier before the operation that is to be made now. */
    public long barrierDescription() {
        return BARRIER.description(phase, version, sequence, -1);
    }

    /** Whether all ranks make a barrier before the operation that is to be made now. */
    public boolean isBarrierDue(Shape next) {
        return !isBootstrap() && meter.isBarrierDue(next);
    }

    /** Notes that the barrier is over: every rank has all results before this place. */
    public void barrierPassed() {
        horizon = sequence;
        log.release(horizon);
    }

    /**
     * B1.5, B1.6: notes that the operation was made, and records its result before the program goes on. This holds at a
     * broadcast's root, too.
     *
     * @param result from the {@link ResultMemory} of this object, which takes a result of a version back when this rank
     *     drops it
     * @param waitedForAll whether this rank could not have the result before every rank had begun the operation
     */
    public Entry completed(Shape shape, Place place, ByteBuffer result, boolean waitedForAll) {
        if (isBootstrap()) {
            return completedInBootstrap(shape, place, result);
        }
        Entry entry = new Entry(shape, result, keepers.keep(sequence));
        log.put(sequence, entry);
        if (waitedForAll) {
            // Every rank has begun this operation, so every rank has all results before it. Whether another rank has
            // this result is unknown.
            horizon = sequence; // RELEASE
            log.release(horizon);
        }
        advance(shape);
        reached = position();
        return entry;
    }

    private Entry completedInBootstrap(Shape shape, Place place, ByteBuffer result) {
        Entry entry = new Entry(shape, result, true);
        bootstrap.keep(place, entry);
        bootstrap.use(place);
        advance(shape);
        reached = position();
        return entry;
    }

    private void advance(Shape shape) {
        if (!isBootstrap()) {
            meter.pass(shape);
        }
        sequence++;
    }

    // ------------------------------------------------------------------------------------------ checkpoints

    /**
     * B5: the program goes on after the committed checkpoint, or after the bootstrap phase. Local.
     *
     * @return the version; 0 if there is no checkpoint
     */
    public int load() {
        if (!isBootstrap() && !rolledBack) {
            throw new IllegalStateException("loadCheckpoint was called before, in version " + version
                    + "; it is called once, after the operations of the bootstrap phase");
        }
        rolledBack = false;
        Checkpoint committed = checkpoints.global();
        phase = Position.VERSIONS;
        version = committed == null ? 0 : committed.version();
        sequence = 0;
        meter.reset();
        if (position().compareTo(reached) > 0) {
            reached = position();
            logVersion = version;
        }
        return version;
    }

    /** Whether the program keeps local models, as far as this rank knows. */
    public boolean usesLocals() {
        return usesLocals;
    }

    /** Returns the version that {@link #load} would return; 0 before the first checkpoint. */
    public int committedVersion() {
        return checkpoints.global() == null ? 0 : checkpoints.global().version();
    }

    /** Whether the committed version is this one. */
    public boolean hasVersion(int wanted) {
        return committedVersion() == wanted;
    }

    /** The committed global model; null if this rank has none. */
    public Checkpoint global() {
        return checkpoints.global();
    }

    /** This rank's committed local model; null if there is none. */
    public Checkpoint local() {
        return checkpoints.local(me.slot());
    }

    /** The local model of the rank in slot {@code owner}, of the committed version; null if it is not held here. */
    public Checkpoint local(int owner) {
        return checkpoints.local(owner);
    }

    /**
     * Notes whether the program's checkpoints have local models: either all of them or none.
     *
     * @throws IllegalStateException if an earlier checkpoint did otherwise
     */
    public void useLocals(boolean use) {
        if (localsAreDecided && usesLocals != use) {
            throw new IllegalStateException("this checkpoint has " + (use ? "a" : "no")
                    + " local model, and earlier ones were otherwise; a program has local models in all its checkpoints or in"
                    + " none");
        }
        localsAreDecided = true;
        usesLocals = use;
    }

    /** The partners that keep this rank's local model, given the failure domains. */
    public List<Integer> partners(SortedMap<Integer, Long> domains) {
        return Placement.partners(me.slot(), members, domains, localCopies);
    }

    /** The ranks that this rank is a partner of. */
    public List<Integer> owners(SortedMap<Integer, Long> domains) {
        List<Integer> owners = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            int slot = members.slot(rank);
            if (Placement.partners(slot, members, domains, localCopies).contains(me.slot())) {
                owners.add(slot);
            }
        }
        return owners;
    }

    /** @throws Mismatch if the log shows that other ranks made an operation at this place of a version */
    public void requireAtEnd(String call) {
        Entry next = isBootstrap() ? null : log.get(sequence);
        if (next != null) {
            throw new Mismatch(
                    "this rank calls " + call + " as " + position() + ", where the others made " + next.shape());
        }
    }

    /**
     * The number that names a call of checkpoint or shutdown in the messages of the meeting before its commit. A rank
     * that is in another call sends another number.
     */
    public long description(CommitNote.Intent intent, boolean withLocal) {
        return MEETING.description(phase, version, sequence, -2 - 2L * intent.ordinal() - (withLocal ? 1 : 0));
    }

    /** B2.1: stages the model of the next checkpoint. The committed model and the log stay as they are. */
    public void stage(Checkpoint global) {
        checkpoints.stage(global);
    }

    /**
     * Returns the note with which this rank commits the checkpoint that it has staged, or says that its program has
     * ended.
     */
    public CommitNote note(CommitNote.Intent intent, boolean withLocal, String site) {
        Checkpoint staged = intent == CommitNote.Intent.CHECKPOINT ? checkpoints.staged() : null;
        boolean isSaved = staged != null && staged.lengthBytes() >= 0;
        return new CommitNote(
                intent,
                position(),
                withLocal,
                isSaved ? staged.lengthBytes() : CommitNote.NOT_SAVED,
                isSaved ? staged.crc() : 0,
                site);
    }

    public void stageLocal(int owner, Checkpoint local) {
        checkpoints.stageLocal(owner, local);
    }

    /** B2.3: the commit is decided here. Only now the old checkpoint is dropped, and the log with it. */
    public void committed() {
        checkpoints.commit();
        version++;
        sequence = 0;
        forgetLog();
        reached = position();
    }

    /** B2.3: there is no commit, so the staged models are dropped. */
    public void notCommitted() {
        checkpoints.drop();
    }

    private void forgetLog() {
        log.clear();
        logVersion = version;
        horizon = 0;
        meter.reset();
    }

    // ------------------------------------------------------------------------------------------ recovery

    /**
     * B3.3: returns this rank's line of the summary.
     *
     * @param spilled versions on this rank's disk
     * @param spilledLocals whether those versions have local models. If the ranks that knew it have all died, only this
     *     tells that the program uses local models
     * @param untouched whether this rank can tell that the job has never committed anything
     */
    public SummaryRecord summary(
            long domain, List<Integer> spilled, boolean spilledLocals, boolean untouched, PlanTrouble trouble) {
        Position upTo = frontier();
        Checkpoint global = checkpoints.global();
        boolean isSaved = global != null && global.lengthBytes() >= 0;
        Holdings holdings = new Holdings(
                bootstrap.size(),
                logVersion,
                log.held(),
                global == null ? 0 : global.version(),
                isSaved ? global.crc() : 0,
                global == null ? 0 : global.lengthBytes(),
                global == null ? List.of() : checkpoints.localOwners(global.version()),
                spilled);
        return new SummaryRecord(
                me,
                fresh,
                fresh && untouched,
                upTo,
                horizon,
                settledRanks,
                settledLineup,
                usesLocals || spilledLocals,
                domain,
                holdings,
                trouble);
    }

    /**
     * B3.3: the place up to which this rank has got all results. Results that an interrupted fetch has left count, too:
     * otherwise this rank could be answered from its record where all other ranks make the operation.
     */
    private Position frontier() {
        if (reached.isBootstrap()) {
            return new Position(Position.BOOTSTRAP, 0, bootstrap.size());
        }
        return new Position(Position.VERSIONS, reached.version(), log.heldFrom(reached.sequence()));
    }

    public RecoveryPlan plan(SortedMap<Integer, SummaryRecord> records) {
        return Planner.plan(records, members, localCopies);
    }

    /**
     * B3.4, B3.5: what the agreed plan makes of this rank, before anything is fetched.
     *
     * @return whether the program must go back: the call that it is in does not return
     */
    public boolean follow(RecoveryPlan plan) {
        boolean goesBack =
                switch (plan.outcome()) {
                    case CONTINUE -> follow(plan.start());
                    case ROLL_BACK -> plan.start().isBootstrap() ? beginAgain() : rollBack(plan.start());
                    case RESTART, FROM_SPILL -> restart(plan.start());
                    default -> throw new IllegalStateException("no rank goes on from " + plan);
                };
        start = plan.start();
        rolledBack |= goesBack;
        return goesBack;
    }

    /**
     * Drops the results that an interrupted fetch left beyond the place where all go on: all ranks make those
     * operations anew, so this rank does so, too.
     */
    private boolean follow(Position to) {
        if (to.isBootstrap()) {
            bootstrap.dropFrom((int) to.sequence());
            log.clear();
        } else if (logVersion != to.version()) {
            log.clear();
            logVersion = to.version();
        } else {
            log.dropFrom(to.sequence());
        }
        return false;
    }

    private boolean rollBack(Position to) {
        boolean isPastIt = phase == Position.VERSIONS;
        log.clear();
        logVersion = to.version();
        horizon = 0;
        if (!reached.isBootstrap()) {
            reached = to;
        }
        return isPastIt;
    }

    /**
     * Drops all results and models in this rank's memory. If the plan has a checkpoint on a disk, that is read or
     * fetched afterwards. Returns whether the program must go back.
     */
    private boolean restart(Position to) {
        boolean hasBegun = beginAgain();
        checkpoints.clear();
        logVersion = to.version();
        return hasBegun;
    }

    /**
     * B6: drops the results of the bootstrap phase and of the present version, so that all are made again. The
     * committed models stay. Returns whether the program must go back.
     */
    private boolean beginAgain() {
        // A program that has made no operation yet may have asked for the number of ranks and its own number. If these
        // have changed, it has to begin again too.
        boolean isOtherRank = !fresh && settledLineup != SummaryRecord.lineupOf(members);
        boolean hasBegun = isOtherRank || !position().equals(Position.START);
        bootstrap.clear();
        log.clear();
        logVersion = 0;
        horizon = 0;
        reached = Position.START;
        return hasBegun;
    }

    private void rerunIfRolledBack() {
        if (rolledBack) {
            rerun();
        }
    }

    /** The program begins at its top again: its operations are answered from the record where that has results. */
    public void rerun() {
        rolledBack = false;
        bootstrap.rerun();
        phase = Position.BOOTSTRAP;
        version = 0;
        sequence = 0;
        meter.reset();
    }

    /** B3.6: notes that all items that the plan had for this rank have arrived. */
    public void caughtUp(RecoveryPlan plan) {
        fresh = false;
        settledRanks = members.size();
        settledLineup = SummaryRecord.lineupOf(members);
        if (plan.start().compareTo(reached) > 0) {
            reached = plan.start();
        }
    }

    /** Whether this process may have come into a running job, and has not fetched all that its plan says yet. */
    public boolean isFresh() {
        return fresh;
    }

    // ------------------------------------------------------------------------------------------ what others lack

    /** An item that this rank has, for a rank that lacks it. No rank changes its bytes meanwhile. */
    public Parcel give(Item item) {
        int number = (int) item.number();
        return switch (item.kind()) {
            case BOOTSTRAP -> {
                BootstrapCache.Kept kept = bootstrap.get(number);
                yield Parcel.of(item, kept.entry(), kept.place(), kept.occurrence());
            }
            case RESULT -> Parcel.of(item, log.get(number), null, 0);
            case CHECKPOINT -> Parcel.of(item, checkpoints.global());
            case LOCAL -> Parcel.of(item, checkpoints.local(number));
            case SPILLED -> throw new IllegalArgumentException("what is on disk is not this object's");
        };
    }

    /**
     * B3.6: takes an item that another rank gave or that was read from a disk, in the order of items. Results are kept
     * until the checkpoint for the next rank that needs them: the only other copy may be lost by then with the rank
     * that had it.
     */
    public void take(Parcel parcel) {
        int number = (int) parcel.item().number();
        switch (parcel.item().kind()) {
            case BOOTSTRAP -> {
                if (number == bootstrap.size()) {
                    Entry entry = new Entry(parcel.shape(), parcel.bytes(), true);
                    bootstrap.put(new BootstrapCache.Kept(entry, parcel.place(), parcel.occurrence()));
                }
            }
            case RESULT -> {
                if (log.get(number) == null) {
                    log.put(number, Entry.fetched(parcel.shape(), parcel.bytes()));
                }
            }
            case CHECKPOINT -> checkpoints.fetch(received(parcel));
            case LOCAL -> {
                checkpoints.fetchLocal(number, received(parcel));
                useLocals(true);
            }
            case SPILLED -> throw new IllegalArgumentException("a file is not taken whole");
        }
    }

    private static Checkpoint received(Parcel parcel) {
        return Checkpoint.received(parcel.version(), parcel.epoch(), parcel.crc(), parcel.bytes());
    }

    /** The committed version as it is written to a disk. */
    public Snapshot snapshot() {
        return snapshot(checkpoints.global(), local());
    }

    /**
     * The staged version as it is written to a disk.
     *
     * @param local the staged local model of this rank; or null
     */
    public Snapshot stagedSnapshot(ByteBuffer local) {
        return snapshot(checkpoints.staged(), local == null ? null : Checkpoint.of(version + 1, 0, local));
    }

    private Snapshot snapshot(Checkpoint global, Checkpoint local) {
        List<Parcel> parcels = new ArrayList<>();
        for (int index = 0; index < bootstrap.size(); index++) {
            parcels.add(give(new Item(Item.Kind.BOOTSTRAP, index)));
        }
        parcels.add(Parcel.of(new Item(Item.Kind.CHECKPOINT, 0), global));
        if (local != null) {
            parcels.add(Parcel.of(new Item(Item.Kind.LOCAL, me.slot()), local));
        }
        return Snapshot.of(parcels);
    }

    /**
     * Takes the models and results of a snapshot that was read from a disk.
     *
     * @param isOwn whether this rank wrote the snapshot: only then its local models are of use
     */
    public void restore(Snapshot snapshot, boolean isOwn) {
        for (Parcel parcel : snapshot.parcels()) {
            if (isOwn || parcel.item().kind() != Item.Kind.LOCAL) {
                take(parcel);
            }
        }
    }

    // ------------------------------------------------------------------------------------------ figures

    /** Bytes of all recorded results. */
    public long logBytes() {
        return log.lengthBytes() + bootstrap.lengthBytes();
    }

    /**
     * The bytes of recorded results that count against the user's bound. Fetched results of a version do not count: a
     * replacement keeps all of them, where a rank that never died keeps its share, and the replacement must not fail
     * where the other rank does not.
     */
    public long boundedLogBytes() {
        return log.boundedBytes() + bootstrap.lengthBytes();
    }

    /**
     * The largest number of bytes that the results in the log ever had together, plus the bytes of the results of the
     * bootstrap phase now.
     */
    public long mostLogBytes() {
        return log.mostBytes() + bootstrap.lengthBytes();
    }

    public SlotRuns members() {
        return members;
    }
}
