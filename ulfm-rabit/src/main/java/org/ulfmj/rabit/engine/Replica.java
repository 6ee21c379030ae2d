package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/**
 * One rank of the recovery mode: where its program is, what it has recorded, and what follows from that. It never waits
 * and never sends; any rank that drives it runs operations, agreements and transfers, and tells it what came of them.
 *
 * <p>The idea: all ranks go through one sequence of operations, whose inputs follow from the checkpoint and from
 * earlier results. So a rank that is started again needs only the checkpoint and the results since then; it passes the
 * operations that it has results of without a message, and takes part in the first one that no rank has finished. For
 * one thread.
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
    /** Of the world that this rank last went on in; 0 before. */
    private int settledRanks;

    private int phase = Position.BOOTSTRAP;
    private int version;
    private long sequence;
    /** All results below it are recorded here, or are in the checkpoint. */
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
     * @param resultCopies keepers of each result, at least
     * @param localCopies of a local model, besides its owner's
     * @param barrierBytes results after which ranks that wait for no rank wait for each other
     */
    public Replica(ProcessId me, int resultCopies, int localCopies, long barrierBytes, ResultMemory memory) {
        this.me = me;
        this.resultCopies = resultCopies;
        this.localCopies = localCopies;
        this.log = new ResultLog(memory);
        this.meter = new SyncMeter(barrierBytes);
        this.fresh = me.incarnation() > 0;
    }

    /** The members of this epoch. */
    public void enter(SlotRuns newMembers) {
        members = newMembers;
        keepers = Keepers.of(newMembers, me.slot(), resultCopies);
        if (settledRanks == 0 && !fresh) {
            settledRanks = newMembers.size();
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
     * B1.1: the recorded result of the operation that the program makes now, which is passed by it; null if it must be
     * made. There is no communication in it, and nothing is let go.
     *
     * @param place in the bootstrap phase; else null
     * @throws Mismatch if another operation was made here
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

    /** B1.3: an operation that others have passed is never made again, no matter what the program does. */
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

    /** As {@link Position#compareTo} says it, without an object for each operation. */
    private boolean isAtLeast(Position place) {
        if (phase != place.phase()) {
            return phase > place.phase();
        }
        return version != place.version() ? version > place.version() : sequence >= place.sequence();
    }

    /** Says which operation this is, in its messages. */
    public long description(Shape shape, Place place) {
        long where = place == null ? 0 : Shape.hash(place.id()) + bootstrap.occurrence(place);
        return shape.description(phase, version, sequence, where);
    }

    /** As {@link #description}, of the barrier before the operation that is to be made now. */
    public long barrierDescription() {
        return BARRIER.description(phase, version, sequence, -1);
    }

    /** Whether all ranks wait for each other before the operation that is to be made now. */
    public boolean isBarrierDue(Shape next) {
        return !isBootstrap() && meter.isBarrierDue(next);
    }

    /** The barrier is over: every rank has all results before this place. */
    public void barrierPassed() {
        horizon = sequence;
        log.release(horizon);
    }

    /**
     * B1.5, B1.6: the operation was made, and is recorded before the program sees its result; so also at a broadcast's
     * root.
     *
     * @param result from the {@link ResultMemory} of this object, which takes it back when no rank can ask for it any
     *     more
     * @param waitedForAll whether this rank could not have the result before every rank had begun the operation
     */
    public Entry completed(Shape shape, Place place, ByteBuffer result, boolean waitedForAll) {
        if (isBootstrap()) {
            return completedInBootstrap(shape, place, result);
        }
        Entry entry = new Entry(shape, result, keepers.keep(sequence));
        log.put(sequence, entry);
        if (waitedForAll) {
            // Every rank has begun this operation, so every rank has all before it; nothing is known of this one.
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
     * B5: local. The program goes on after the committed checkpoint, or after the bootstrap phase.
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

    /** That {@link #load} would return; 0 before the first checkpoint. */
    public int committedVersion() {
        return checkpoints.global() == null ? 0 : checkpoints.global().version();
    }

    /** Whether the committed version is this one. */
    public boolean hasVersion(int wanted) {
        return committedVersion() == wanted;
    }

    /** The committed global model; null before the first. */
    public Checkpoint global() {
        return checkpoints.global();
    }

    /** This rank's committed local model; null if there is none. */
    public Checkpoint local() {
        return checkpoints.local(me.slot());
    }

    /** A rank's local model of the committed version, or null. */
    public Checkpoint local(int owner) {
        return checkpoints.local(owner);
    }

    /**
     * Local models are used in every checkpoint or in none.
     *
     * @throws IllegalStateException if it was otherwise before
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

    /** The partners that keep this rank's local model, by what fails together. */
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

    /** @throws Mismatch if the others had made an operation here */
    public void requireAtEnd(String call) {
        Entry next = isBootstrap() ? null : log.get(sequence);
        if (next != null) {
            throw new Mismatch(
                    "this rank calls " + call + " as " + position() + ", where the others made " + next.shape());
        }
    }

    /** Says which call it is, in the messages by which all ranks learn that they are in the same one. */
    public long description(CommitNote.Intent intent, boolean withLocal) {
        return MEETING.description(phase, version, sequence, -2 - 2L * intent.ordinal() - (withLocal ? 1 : 0));
    }

    /** B2.1: the next checkpoint; the committed one and the log stay as they are. */
    public void stage(Checkpoint global) {
        checkpoints.stage(global);
    }

    /** What this rank says of the checkpoint that it has staged, or of its end. */
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

    /** B2.3: the decision has returned here. Only now does the old checkpoint go, with the log. */
    public void committed() {
        checkpoints.commit();
        version++;
        sequence = 0;
        forgetLog();
        reached = position();
    }

    /** B2.3, else. */
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
     * B3.3: this rank's line of the summary.
     *
     * @param spilled versions on this rank's disk
     * @param spilledLocals whether they have local models: one of a process that knows nothing else may be all that
     *     tells
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
                usesLocals || spilledLocals,
                domain,
                holdings,
                trouble);
    }

    /**
     * B3.3: what an interrupted fetch left counts. Else no rank would wait for this rank where it is answered from its
     * record, and all others make that operation.
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
                    default -> throw new IllegalStateException("nobody goes on from " + plan);
                };
        start = plan.start();
        rolledBack |= goesBack;
        return goesBack;
    }

    /** What an interrupted fetch left beyond the place where all go on is made anew by all, so also by this rank. */
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

    /** What is on disk is fetched like everything else. */
    private boolean restart(Position to) {
        boolean hasBegun = beginAgain();
        checkpoints.clear();
        logVersion = to.version();
        return hasBegun;
    }

    /** B6: the bootstrap phase is made again, and nothing of the present version is left; the committed models are. */
    private boolean beginAgain() {
        boolean hasBegun = !position().equals(Position.START);
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

    /** The program begins at its top again: it is answered from what is recorded. */
    public void rerun() {
        rolledBack = false;
        bootstrap.rerun();
        phase = Position.BOOTSTRAP;
        version = 0;
        sequence = 0;
        meter.reset();
    }

    /** B3.6: everything that the plan had for this rank has come. */
    public void caughtUp(RecoveryPlan plan) {
        fresh = false;
        settledRanks = members.size();
        if (plan.start().compareTo(reached) > 0) {
            reached = plan.start();
        }
    }

    /** Whether this is a replacement that lacks something. */
    public boolean isFresh() {
        return fresh;
    }

    // ------------------------------------------------------------------------------------------ what others lack

    /** What this rank has, to be sent to one that lacks it; no rank changes its bytes meanwhile. */
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
     * B3.6: what another rank gave; in the order of items. Results are kept until the checkpoint, for the next one who
     * needs them: the only other copy may be a dead rank's by then.
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

    /** The staged one likewise. @param local of this rank, staged too; or null */
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
     * Goes back to what was written. @param isOwn whether this rank wrote it: only then are local models in it of use
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
     * Of {@link #logBytes} what the bound on them is for. Not what was fetched: a replacement keeps all of that, where
     * a rank that never died keeps its share, and must not fail where that one does not.
     */
    public long boundedLogBytes() {
        return log.boundedBytes() + bootstrap.lengthBytes();
    }

    /** The most that {@link #logBytes} was, but for what the bootstrap phase added since. */
    public long mostLogBytes() {
        return log.mostBytes() + bootstrap.lengthBytes();
    }

    public SlotRuns members() {
        return members;
    }
}
