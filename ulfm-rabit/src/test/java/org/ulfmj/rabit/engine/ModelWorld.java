package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ulfmj.protocol.SlotRuns;

/**
 * All ranks of a job as {@link ModelRank}s, and between them what the runtime promises and no more. Once a member is
 * dead, an operation may fail at any rank that is still inside. The dead are replaced only when all live ranks take
 * part. An agreement has the same outcome at all live ranks. The seed decides which rank makes the next step, and which
 * one dies when.
 */
final class ModelWorld {
    /** One operation of an epoch. The n-th instance stands for the n-th operation that each rank makes in the epoch. */
    static final class Instance {
        final long description;
        final int root;
        final SortedSet<Integer> entered = new TreeSet<>();
        Long value;

        Instance(long description, int root) {
            this.description = description;
            this.root = root;
        }
    }

    private static final int MOST_STEPS = 20_000;

    final Scene scene;
    final Random random;
    final SlotRuns members;
    final List<ModelRank> ranks = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final SortedSet<Integer> dead = new TreeSet<>();
    private int killsLeft;
    private long nextValue = 1;

    // Of the epoch.
    long epoch;
    boolean revoked;
    /** Whether a member has died in this epoch. */
    boolean anyDied;

    private final List<Instance> instances = new ArrayList<>();
    private final SortedMap<Integer, SummaryRecord> summaries = new TreeMap<>();
    private final List<Commit> commits = new ArrayList<>();
    /** The parcels that holders have sent, by transfer. */
    final SortedMap<String, Parcel> mail = new TreeMap<>();

    RecoveryPlan plan;
    boolean summaryFailed;

    /** The highest version whose checkpoint has returned at some rank. */
    private int returnedVersion;
    /** The models with which checkpoints have returned, by version. */
    private final SortedMap<Integer, Long> returnedModels = new TreeMap<>();

    private boolean over;

    ModelWorld(Scene scene) {
        this.scene = scene;
        this.random = new Random(scene.seed());
        this.members = SlotRuns.range(scene.ranks());
        this.killsLeft = scene.kills();
        for (int slot = 0; slot < scene.ranks(); slot++) {
            ranks.add(new ModelRank(this, slot, 0));
        }
    }

    /** Runs the scene to its end. Returns null, or what went wrong and how it came to that. */
    static String violation(Scene scene) {
        ModelWorld world = new ModelWorld(scene);
        try {
            world.run();
            return null;
        } catch (RuntimeException wrong) {
            return wrong + " in " + scene + "\n" + String.join("\n", world.trace);
        }
    }

    private void run() {
        for (int step = 0; step < MOST_STEPS; step++) {
            if (over) {
                return;
            }
            if (killsLeft > 0 && random.nextInt(12) == 0) {
                kill(random.nextInt(scene.ranks()));
            }
            List<ModelRank> able = new ArrayList<>();
            boolean allDone = true;
            for (ModelRank rank : ranks) {
                if (!dead.contains(rank.slot)) {
                    allDone &= rank.isDone();
                    if (rank.canStep()) {
                        able.add(rank);
                    }
                }
            }
            if (allDone) {
                return;
            }
            if (able.isEmpty() && !replace()) {
                throw new IllegalStateException("HANG");
            }
            if (!able.isEmpty()) {
                if (random.nextInt(able.size() + 1) == 0 && replace()) {
                    continue;
                }
                able.get(random.nextInt(able.size())).step();
            }
        }
        throw new IllegalStateException("no end after " + MOST_STEPS + " steps");
    }

    void note(String event) {
        trace.add(event);
    }

    private void kill(int slot) {
        ModelRank victim = ranks.get(slot);
        if (dead.contains(slot) || victim.isDone()) {
            return;
        }
        boolean leavesRank = living().anyMatch(rank -> rank.slot != slot && !rank.replica.isFresh());
        if (!leavesRank) {
            return;
        }
        killsLeft--;
        dead.add(slot);
        anyDied = true;
        note("kill " + victim);
    }

    private Stream<ModelRank> living() {
        return ranks.stream().filter(rank -> !dead.contains(rank.slot));
    }

    /** Whether operations of this epoch may fail. */
    boolean mayFail() {
        return anyDied || revoked;
    }

    // ------------------------------------------------------------------------------------------ operations

    Instance instance(int index, long description, int root, ModelRank rank) {
        if (index == instances.size()) {
            instances.add(new Instance(description, root));
        }
        Instance instance = instances.get(index);
        if (instance.description != description) {
            throw new IllegalStateException("DESYNC: " + rank + " made another operation as number " + index);
        }
        return instance;
    }

    boolean canReturn(Instance instance, int slot) {
        return instance.root < 0
                ? instance.entered.size() == scene.ranks()
                : slot == instance.root || instance.entered.contains(instance.root);
    }

    /** Returns the value of an operation: the same at every rank that returns from it. */
    long value(Instance instance) {
        if (instance.value == null) {
            instance.value = scene.strict() ? nextValue++ : instance.description;
        }
        return instance.value;
    }

    // ------------------------------------------------------------------------------------------ agreements

    /** One agreement to commit, made by all ranks of an epoch. */
    static final class Commit {
        final SortedMap<Integer, byte[]> notes = new TreeMap<>();
        /** Local models that were sent to partners, by owner. */
        final SortedMap<Integer, ByteBuffer> locals = new TreeMap<>();

        CommitNote.Verdict verdict;
    }

    Commit commit(int index) {
        while (commits.size() <= index) {
            commits.add(new Commit());
        }
        return commits.get(index);
    }

    /** B2: whether the verdict is there, or each live rank has said COMMIT or is at a step at which it says RECOVER. */
    boolean canDecideCommit(int index) {
        Commit commit = commit(index);
        if (commit.verdict != null) {
            return true;
        }
        return living().allMatch(rank -> commit.notes.containsKey(rank.slot) || rank.isAtReplace());
    }

    CommitNote.Verdict decideCommit(int index) {
        Commit commit = commit(index);
        if (commit.verdict == null) {
            boolean isCommitOnly = living().allMatch(rank -> commit.notes.containsKey(rank.slot));
            commit.notes.keySet().removeIf(slot -> dead.contains(slot) && random.nextBoolean());
            commit.verdict = CommitNote.judge(isCommitOnly, !dead.isEmpty(), commit.notes, members);
            note("commit " + index + ": " + commit.verdict);
        }
        return commit.verdict;
    }

    /**
     * P1: requires that each version has one model at all ranks, at those that died later too: such a rank may have
     * shown the model to the outside.
     */
    void returned(int version, long model) {
        returnedVersion = Math.max(returnedVersion, version);
        requireEqual(
                returnedModels.computeIfAbsent(version, first -> model), model, "VALUE: model of version " + version);
    }

    void summarize(ModelRank rank) {
        summaries.put(rank.slot, rank.summary());
    }

    boolean canDecideSummary() {
        if (plan != null || summaryFailed) {
            return true;
        }
        return living().allMatch(rank -> summaries.containsKey(rank.slot));
    }

    /** B3.3 to B3.5. */
    void decideSummary(ModelRank reader) {
        if (plan != null || summaryFailed) {
            return;
        }
        summaryFailed = !dead.isEmpty();
        if (summaryFailed) {
            note("summary: somebody died");
            return;
        }
        SortedMap<Integer, SummaryRecord> read = new TreeMap<>();
        for (SortedMap.Entry<Integer, SummaryRecord> entry : summaries.entrySet()) {
            read.put(entry.getKey(), SummaryRecord.fromBytes(entry.getValue().toBytes()));
            if (!read.get(entry.getKey()).equals(entry.getValue())) {
                throw new IllegalStateException("a summary changed on its way: " + entry.getValue());
            }
        }
        plan = reader.replica.plan(read);
        note("summary: " + read.values() + " -> " + plan);
        checkPlan();
    }

    private void checkPlan() {
        boolean isLost = plan.outcome() == RecoveryPlan.Outcome.TOO_MANY_FAILURES;
        if (isLost && scene.usesLocals() && scene.kills() > scene.localCopies()) {
            over = true;
            return;
        }
        if (isLost) {
            throw new IllegalStateException("LOST: somebody lives who had everything, and " + plan);
        }
        if (plan.outcome() != RecoveryPlan.Outcome.CONTINUE && scene.kills() < scene.keepers()) {
            throw new IllegalStateException("HOLE: a keeper lives, and " + plan);
        }
        if (plan.start().version() < returnedVersion) {
            throw new IllegalStateException("C1: somebody had version " + returnedVersion + ", and " + plan);
        }
    }

    /**
     * P1–P5 of the runtime: if all live ranks have come to replace, gives each dead rank a successor and begins the
     * next epoch. Returns false if a live rank is still missing, or no rank lives.
     */
    private boolean replace() {
        if (dead.size() == ranks.size() || !living().allMatch(ModelRank::isAtReplace)) {
            return false;
        }
        epoch++;
        note("epoch " + epoch + ", new " + dead);
        revoked = false;
        anyDied = false;
        instances.clear();
        summaries.clear();
        commits.clear();
        mail.clear();
        plan = null;
        summaryFailed = false;
        for (int slot : dead) {
            ranks.set(slot, new ModelRank(this, slot, ranks.get(slot).incarnation + 1));
        }
        dead.clear();
        for (ModelRank rank : ranks) {
            rank.enterEpoch();
        }
        return true;
    }

    static ByteBuffer bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).flip();
    }

    static long value(ByteBuffer bytes) {
        return bytes.duplicate().getLong(0);
    }

    void requireEqual(Object expected, Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new IllegalStateException(what + ": " + actual + ", not " + expected);
        }
    }
}
