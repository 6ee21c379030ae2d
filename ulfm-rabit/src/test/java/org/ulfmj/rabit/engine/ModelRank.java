package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * One rank of a {@link ModelWorld}: the program and what drives its {@link Replica}, a step at a time. The program's
 * model is a hash of all results it has used, so ranks that used different ones cannot hide it.
 */
final class ModelRank {
    private enum State {
        /** The program is about to make its next call. */
        CALL,
        IN_OPERATION,
        STAGING,
        IN_COMMIT,
        /** B3.2: the rank waits until the dead ranks are replaced. */
        AT_REPLACE,
        IN_SUMMARY,
        FETCHING,
        DONE
    }

    final int slot;
    final int incarnation;
    final Replica replica;
    private final ModelWorld world;
    private final Scene scene;
    private State state = State.CALL;

    // The program.
    private boolean loaded;
    private int nextCall;
    private long model;
    private long bootModel;
    private boolean isOver;

    // The call that it is in.
    private Shape shape;
    private Place place;
    private ModelWorld.Instance instance;
    private int madeInEpoch;
    private int commitsInEpoch;
    private boolean inBarrier;
    private boolean mustGoBack;
    private final List<Transfer> awaited = new ArrayList<>();

    ModelRank(ModelWorld world, int slot, int incarnation) {
        this.world = world;
        this.scene = world.scene;
        this.slot = slot;
        this.incarnation = incarnation;
        this.replica = new Replica(
                new ProcessId(slot, incarnation),
                incarnation > 0,
                scene.copies(),
                scene.localCopies(),
                scene.barrierBytes(),
                new ResultMemory(1 << 16));
        replica.enter(world.members);
    }

    boolean isDone() {
        return state == State.DONE;
    }

    boolean isAtReplace() {
        return state == State.AT_REPLACE;
    }

    /** Enters a new epoch, in which the dead ranks have successors, and says what this rank holds. */
    void enterEpoch() {
        replica.enter(world.members);
        madeInEpoch = 0;
        commitsInEpoch = 0;
        instance = null;
        awaited.clear();
        state = State.IN_SUMMARY;
        world.summarize(this);
    }

    SummaryRecord summary() {
        PlanTrouble trouble = new PlanTrouble(PlanTrouble.Kind.FAILURE, replica.position(), "", "", "");
        return replica.summary(slot, List.of(), false, false, trouble);
    }

    boolean canStep() {
        return switch (state) {
            case CALL -> true;
            case IN_OPERATION -> world.canReturn(instance, slot) || world.mayFail();
            case STAGING -> isReplicated() || world.mayFail();
            case IN_COMMIT -> world.canDecideCommit(commitsInEpoch - 1);
            case IN_SUMMARY -> world.canDecideSummary();
            case FETCHING -> world.mayFail() || world.mail.containsKey(key(awaited.get(0)));
            case AT_REPLACE, DONE -> false;
        };
    }

    void step() {
        switch (state) {
            case CALL -> call();
            case IN_OPERATION -> operation();
            case STAGING -> stage();
            case IN_COMMIT -> readCommit();
            case IN_SUMMARY -> readSummary();
            case FETCHING -> fetch();
            default -> throw new IllegalStateException(this + " cannot step");
        }
    }

    private void recover() {
        world.note(this + " recovers");
        world.revoked = true;
        state = State.AT_REPLACE;
    }

    // ------------------------------------------------------------------------------------------ the program

    private List<Integer> operations() {
        return loaded ? scene.versions().get(replica.version()) : scene.bootstrap();
    }

    private void call() {
        if (mustGoBack) {
            goBack();
        }
        if (!loaded && nextCall == scene.bootstrap().size()) {
            load();
        }
        if (replica.version() == scene.versions().size()) {
            isOver = true;
            replica.requireAtEnd("shutdown");
            enterCommit();
        } else if (nextCall == operations().size()) {
            replica.requireAtEnd("checkpoint");
            beginCheckpoint();
        } else {
            makeOperation();
        }
    }

    /**
     * Goes back to the checkpoint. Programs of even seeds, and ranks that had not loaded, begin again at the top of the
     * program; the others begin where they load.
     */
    private void goBack() {
        mustGoBack = false;
        nextCall = 0;
        if (!loaded || scene.seed() % 2 == 0) {
            replica.rerun();
            loaded = false;
            bootModel = 0;
        } else {
            load();
        }
    }

    private void load() {
        loaded = true;
        nextCall = 0;
        int version = replica.load();
        model = version == 0 ? bootModel : ModelWorld.value(replica.global().bytes());
        if (version > 0 && scene.usesLocals()) {
            world.requireEqual(
                    localModel(version), ModelWorld.value(replica.local().bytes()), this + "'s local model");
        }
    }

    private void makeOperation() {
        int kind = operations().get(nextCall);
        shape = kind < 0 ? Shape.allReduce("long", 8, 1, "SUM") : Shape.broadcast("long", 8, 1, kind);
        // Two bootstrap operations in a row share a call site, as in a loop.
        place = loaded ? null : Place.ofSite("site " + nextCall / 2);
        Entry recorded = replica.replay(shape, place);
        if (recorded != null) {
            world.note(this + " replays " + nextCall + " = " + ModelWorld.value(recorded.bytes()));
            use(recorded);
            return;
        }
        inBarrier = replica.isBarrierDue(shape);
        enterInstance();
    }

    private void enterInstance() {
        long description = inBarrier ? replica.barrierDescription() : replica.description(shape, place);
        int root = inBarrier ? -1 : shape.root();
        instance = world.instance(madeInEpoch, description, root, this);
        instance.entered.add(slot);
        madeInEpoch++;
        state = State.IN_OPERATION;
        world.note(this + " enters " + (inBarrier ? "the barrier before " : "") + replica.position());
    }

    private void operation() {
        boolean canReturn = world.canReturn(instance, slot);
        if (!canReturn || world.mayFail() && world.random.nextBoolean()) {
            recover();
            return;
        }
        if (inBarrier) {
            replica.barrierPassed();
            inBarrier = false;
            enterInstance();
            return;
        }
        ByteBuffer result = ModelWorld.bytes(world.value(instance));
        world.note(this + " has " + replica.position() + " = " + ModelWorld.value(result));
        use(replica.completed(shape, place, result, shape.waitsForAll()));
    }

    private void use(Entry entry) {
        long value = ModelWorld.value(entry.bytes());
        if (loaded) {
            model = model * 31 + value;
        } else {
            bootModel = bootModel * 31 + value;
        }
        nextCall++;
        state = State.CALL;
    }

    // ------------------------------------------------------------------------------------------ checkpoints

    private long localModel(int version) {
        return 1_000_000L * slot + version;
    }

    private void beginCheckpoint() {
        int next = replica.version() + 1;
        replica.useLocals(scene.usesLocals());
        replica.stage(Checkpoint.of(next, world.epoch, ModelWorld.bytes(model)));
        if (scene.usesLocals()) {
            ByteBuffer local = ModelWorld.bytes(localModel(next));
            replica.stageLocal(slot, Checkpoint.of(next, world.epoch, local));
            world.commit(commitsInEpoch).locals.put(slot, local);
            state = State.STAGING;
        } else {
            enterCommit();
        }
    }

    /**
     * Whether the partners of this rank, and the ranks whose partner it is, have all sent their local models. In the
     * model that stands for the partners' acknowledgements too.
     */
    private boolean isReplicated() {
        SortedMap<Integer, ByteBuffer> locals = world.commit(commitsInEpoch).locals;
        return locals.keySet().containsAll(replica.partners(domains()))
                && locals.keySet().containsAll(replica.owners(domains()));
    }

    private SortedMap<Integer, Long> domains() {
        SortedMap<Integer, Long> domains = new TreeMap<>();
        for (int rank = 0; rank < scene.ranks(); rank++) {
            domains.put(rank, (long) rank);
        }
        return domains;
    }

    private void stage() {
        if (!isReplicated() || world.mayFail() && world.random.nextBoolean()) {
            replica.notCommitted();
            recover();
            return;
        }
        for (int owner : replica.owners(domains())) {
            ByteBuffer local = world.commit(commitsInEpoch).locals.get(owner);
            replica.stageLocal(owner, Checkpoint.of(replica.version() + 1, world.epoch, local));
        }
        enterCommit();
    }

    private void enterCommit() {
        CommitNote.Intent intent = isOver ? CommitNote.Intent.SHUTDOWN : CommitNote.Intent.CHECKPOINT;
        CommitNote note = replica.note(intent, scene.usesLocals(), "model");
        world.commit(commitsInEpoch).notes.put(slot, note.toBytes(1 << 10));
        commitsInEpoch++;
        state = State.IN_COMMIT;
    }

    private void readCommit() {
        if (world.decideCommit(commitsInEpoch - 1) == CommitNote.Verdict.RECOVER) {
            isOver = false;
            replica.notCommitted();
            recover();
            return;
        }
        world.note(this + " commits after " + replica.position());
        if (isOver) {
            state = State.DONE;
            return;
        }
        replica.committed();
        world.returned(replica.version(), model);
        nextCall = 0;
        state = State.CALL;
    }

    // ------------------------------------------------------------------------------------------ recovery

    private void readSummary() {
        world.decideSummary(this);
        if (world.summaryFailed) {
            recover();
            return;
        }
        RecoveryPlan plan = world.plan;
        if (plan.outcome() == RecoveryPlan.Outcome.TOO_MANY_FAILURES) {
            return;
        }
        for (Transfer transfer : plan.sentBy(slot)) {
            world.mail.put(key(transfer), replica.give(transfer.item()));
        }
        mustGoBack |= replica.follow(plan);
        awaited.addAll(plan.receivedBy(slot));
        state = State.FETCHING;
        endFetch();
    }

    private static String key(Transfer transfer) {
        return transfer.toString();
    }

    private void fetch() {
        Parcel parcel = world.mail.get(key(awaited.get(0)));
        if (parcel == null || world.mayFail() && world.random.nextInt(3) == 0) {
            recover();
            return;
        }
        awaited.remove(0);
        replica.take(parcel);
        endFetch();
    }

    private void endFetch() {
        if (awaited.isEmpty()) {
            replica.caughtUp(world.plan);
            world.note(this + " goes on");
            state = State.CALL;
        }
    }

    @Override
    public String toString() {
        return slot + (incarnation == 0 ? "" : "'" + incarnation) + " (" + state + ")";
    }
}
