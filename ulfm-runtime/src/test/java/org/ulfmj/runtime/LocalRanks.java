package org.ulfmj.runtime;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.local.LocalHub;

/** A world of ranks that are threads, for tests: each runs a program on its own runtime. */
final class LocalRanks implements AutoCloseable {
    /**
     * The program of a rank. If the rank has not ended when the program returns, LocalRanks finalizes it, unless the
     * job was aborted.
     */
    interface Program {
        void run(RankRuntime rank) throws Exception;
    }

    /** Settings by rank. */
    interface SettingsOfRank {
        RankSettings of(int slot, RankSettings byDefault);
    }

    /** The death of a thread-rank. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed(int slot) {
            super("rank " + slot + " was killed", null, false, false);
        }
    }

    private static final byte[] SECRET = "a secret of this world".getBytes(StandardCharsets.UTF_8);
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** What connects the ranks. */
    interface Media {
        Fabric fabric(int slot);

        /** Makes the fabric of a process that takes a dead process's place. */
        default Fabric fabric(ProcessId newcomer) {
            throw new UnsupportedOperationException("no newcomer: " + newcomer);
        }

        default void kill(ProcessId newcomer) {
            throw new UnsupportedOperationException("no newcomer: " + newcomer);
        }

        /** Ends the traffic of a rank: nothing is sent by it or delivered to it any more. */
        void kill(int slot);
    }

    private final Media media;
    private final RankRuntime[] ranks;
    private final RankSettings settings;
    private final SettingsOfRank choose;
    private final List<CompletableFuture<Void>> newcomers = new CopyOnWriteArrayList<>();
    final List<String> fenced = new ArrayList<>();
    final List<String> aborts = new ArrayList<>();
    final List<Throwable> broken = new ArrayList<>();
    final List<String> links = new ArrayList<>();
    final SlotSet[] goodbyes;
    /** The reason why each newcomer was not admitted, by slot; null for a newcomer that was admitted. */
    final String[] refused;

    LocalRanks(int size) {
        this(size, settings -> settings);
    }

    LocalRanks(int size, UnaryOperator<RankSettings> choose) {
        this(size, (slot, settings) -> choose.apply(settings));
    }

    LocalRanks(int size, SettingsOfRank choose) {
        this(size, inMemory(size), choose);
    }

    LocalRanks(int size, Media media, SettingsOfRank choose) {
        this.media = media;
        this.choose = choose;
        ranks = new RankRuntime[size];
        goodbyes = new SlotSet[size];
        refused = new String[size];
        Membership members = Membership.initial(size);
        settings = RankSettings.of(Timing.fromTimeout(TimeUnit.SECONDS.toNanos(30)))
                .withWait(false, true);
        for (int slot = 0; slot < size; slot++) {
            ranks[slot] = RankRuntime.create(
                    new RankIdentity(ProcessId.of(slot), members, SECRET),
                    media.fabric(slot),
                    System::nanoTime,
                    choose.of(slot, settings),
                    new Hooks(slot));
        }
    }

    static Media inMemory(int size) {
        LocalHub hub = new LocalHub(size);
        return new Media() {
            @Override
            public Fabric fabric(int slot) {
                return hub.fabric(slot);
            }

            @Override
            public Fabric fabric(ProcessId newcomer) {
                return hub.fabric(newcomer);
            }

            @Override
            public void kill(int slot) {
                hub.kill(slot);
            }

            @Override
            public void kill(ProcessId newcomer) {
                hub.kill(newcomer);
            }
        };
    }

    RankRuntime rank(int slot) {
        return ranks[slot];
    }

    /** Ends a rank as SIGKILL would, and gives the others the evidence of its death as a launcher would. */
    void kill(int slot) {
        ProcessId id = ranks[slot].id();
        endMedia(id);
        ranks[slot].kill(new Killed(slot));
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, id, "thread " + slot + " was killed");
        for (int other = 0; other < ranks.length; other++) {
            if (other != slot && ranks[other] != null) {
                ranks[other].news().onEvidence(id, evidence);
            }
        }
    }

    /**
     * Starts a process in the place of a dead one, and announces it to the others as a launcher would. It runs the
     * program once it is admitted; {@link #run} waits for its end too.
     */
    void restart(int slot, Program program) {
        ProcessId id = new ProcessId(slot, ranks[slot].id().incarnation() + 1);
        MemberRecord record = record(id);
        RankIdentity identity =
                new RankIdentity(id, record.nonce(), Membership.initial(ranks.length), List.of(), SECRET);
        ranks[slot] = RankRuntime.create(
                identity, media.fabric(id), System::nanoTime, choose.of(slot, settings), new Hooks(slot));
        newcomers.add(start(slot, rank -> {
            refused[slot] = rank.awaitAdmission();
            if (refused[slot] == null) {
                program.run(rank);
            }
        }));
        for (int other = 0; other < ranks.length; other++) {
            if (other != slot) {
                ranks[other].news().onPending(record);
            }
        }
    }

    /**
     * Begins a new world after all processes of a world have died, as a launcher does: it consists of the newcomers
     * that wait already, and of processes started now for {@code slots}.
     */
    void gather(Program program, int... slots) {
        for (int slot : slots) {
            ranks[slot] = null;
        }
        List<MemberRecord> members = new ArrayList<>();
        for (int slot = 0; slot < ranks.length; slot++) {
            members.add(record(new ProcessId(slot, 1)));
        }
        for (int slot = 0; slot < ranks.length; slot++) {
            if (ranks[slot] == null) {
                Fabric fabric = media.fabric(members.get(slot).id());
                for (MemberRecord member : members) {
                    fabric.admit(member);
                }
                RankIdentity identity = RankIdentity.of(members.get(slot), members, SECRET);
                ranks[slot] = RankRuntime.create(
                        identity, fabric, System::nanoTime, choose.of(slot, settings), new Hooks(slot));
                newcomers.add(start(slot, program));
            } else {
                ranks[slot].news().onGathered(members);
            }
        }
    }

    private static MemberRecord record(ProcessId id) {
        return new MemberRecord(id, 1000 + id.incarnation(), 0, "", 0, "", HostProcess.UNKNOWN);
    }

    /** Ends a rank without giving any other rank evidence of its death. */
    void killSilently(int slot) {
        media.kill(slot);
        ranks[slot].kill(new Killed(slot));
    }

    private void endMedia(ProcessId id) {
        if (id.incarnation() == 0) {
            media.kill(id.slot());
        } else {
            media.kill(id);
        }
    }

    /** As {@link #run}, and ends this world. */
    void runOnce(Program... programs) throws Exception {
        try {
            run(programs);
        } finally {
            close();
        }
    }

    /**
     * Runs one program per rank, or the same one at every rank, and waits for all. Throws what the program of a rank
     * that was not killed threw, that of the lowest rank if there are several. Throws an {@link AssertionError} if a
     * rank hangs or is broken.
     */
    void run(Program... programs) throws Exception {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int slot = 0; slot < ranks.length; slot++) {
            ends.add(start(slot, programs[programs.length == 1 ? 0 : slot]));
        }
        Throwable first = null;
        long deadlineNs = System.nanoTime() + BOUND.toNanos();
        for (int i = 0; i < ends.size() + newcomers.size(); i++) {
            CompletableFuture<Void> end = i < ends.size() ? ends.get(i) : newcomers.get(i - ends.size());
            Throwable thrown = outcome(end, deadlineNs);
            if (thrown instanceof TimeoutException) {
                throw new AssertionError(
                        "a rank hangs:\n" + describe(), first == null ? failedOf(ends, thrown) : first);
            }
            first = first == null ? thrown : first;
        }
        if (first instanceof Exception exception) {
            throw exception;
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (!broken.isEmpty()) {
            throw new AssertionError("a rank is broken", broken.get(0));
        }
    }

    /**
     * Returns what a rank's program threw, if one has thrown already: other ranks may hang because of it. Else returns
     * {@code otherwise}.
     */
    private static Throwable failedOf(List<CompletableFuture<Void>> ends, Throwable otherwise) {
        for (CompletableFuture<Void> end : ends) {
            if (end.isCompletedExceptionally()) {
                return end.handle((none, thrown) -> thrown).join();
            }
        }
        return otherwise;
    }

    private CompletableFuture<Void> start(int slot, Program program) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        RankRuntime rank = ranks[slot];
                        program.run(rank);
                        if (!rank.isOver() && abortCount() == 0) {
                            rank.finish();
                        }
                        answerFor(slot);
                        end.complete(null);
                    } catch (Killed killed) {
                        end.complete(null);
                    } catch (Throwable thrown) {
                        end.completeExceptionally(thrown);
                    }
                },
                "rank " + slot);
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    /**
     * Tells the others that a rank has left, if it has finalized, as a launcher does for a process that has ended: the
     * rank's goodbyes may not have reached all.
     */
    private void answerFor(int slot) {
        for (int other = 0; other < ranks.length && ranks[slot].isFinished(); other++) {
            if (other != slot) {
                ranks[other].news().onDeparted(ranks[slot].id());
            }
        }
    }

    private static Throwable outcome(CompletableFuture<Void> end, long deadlineNs) throws InterruptedException {
        try {
            end.get(Math.max(1, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            return e;
        }
    }

    int abortCount() {
        synchronized (aborts) {
            return aborts.size();
        }
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        for (RankRuntime rank : ranks) {
            text.append(rank.waits().describe());
        }
        return text.toString();
    }

    @Override
    public void close() {
        for (int slot = 0; slot < ranks.length; slot++) {
            endMedia(ranks[slot].id());
            ranks[slot].kill(new Killed(slot));
        }
    }

    private final class Hooks implements RankHooks {
        private final int slot;

        Hooks(int slot) {
            this.slot = slot;
        }

        @Override
        public void onFenced(String reason) {
            synchronized (fenced) {
                fenced.add(slot + ": " + reason);
            }
            endMedia(ranks[slot].id());
        }

        @Override
        public void onAbort(int code, String reason) {
            synchronized (aborts) {
                aborts.add(code + ": " + reason);
            }
        }

        @Override
        public void onBroken(Throwable cause) {
            synchronized (broken) {
                broken.add(cause);
            }
        }

        @Override
        public void onFaultPoint(int rule) {
            kill(slot);
            throw new Killed(slot);
        }

        /** Treats a silent process as failed, since this world has no judge of silences. */
        @Override
        public void onSilent(ProcessId process) {
            Evidence silence = new Evidence(Evidence.Kind.SUSPECTED, ranks[slot].id(), "no heartbeat");
            ranks[slot].news().onEvidence(process, silence);
        }

        @Override
        public void onFailed(ProcessId process, Evidence evidence) {}

        @Override
        public void onGoodbye(SlotSet failed) {
            goodbyes[slot] = failed;
        }

        @Override
        public void onLifelineLost(ProcessId process) {}

        @Override
        public void onLinkBroken(ProcessId process) {
            noteLink("broken " + process);
        }

        @Override
        public void onLinkRestored(ProcessId process) {
            noteLink("restored " + process);
        }

        private void noteLink(String event) {
            synchronized (links) {
                links.add(slot + ": " + event);
            }
        }

        @Override
        public void onSeatPoll(long nowNs) {}
    }
}
