package org.ulfmj.check.rendezvous.silence;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.silence.SilenceEffects;
import org.ulfmj.rendezvous.silence.SilenceJudge;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * A simulated job: the ranks of one host, the paths between them, and a launcher that judges silences. The launcher may
 * stand still too.
 */
final class SilentJob implements SilenceEffects {
    static final long MS = 1_000_000;
    static final long TIMEOUT_NS = 1_000 * MS;
    private static final long PERIOD_NS = TIMEOUT_NS / 10;
    private static final long LOOK_NS = 20 * MS;
    private static final long MOST_DELAY_NS = 2 * MS;
    private static final long PROOF_NS = 5 * MS;
    /** How long a busy launcher may take to send a signal. */
    private static final long MOST_KILL_NS = 100 * MS;

    private final Simulation world;
    private final SeededRandom random;
    private final SilenceJudge judge = new SilenceJudge(TIMEOUT_NS, this);
    private final SortedMap<ProcessId, MuteRank> ranks = new TreeMap<>();
    /** The broken directions of paths, each as a list of sender and receiver. */
    private final SortedSet<List<ProcessId>> broken =
            new TreeSet<>((one, other) -> one.get(0).equals(other.get(0))
                    ? one.get(1).compareTo(other.get(1))
                    : one.get(0).compareTo(other.get(0)));

    private final SortedMap<List<ProcessId>, Long> arrivals =
            new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
    private final List<LongConsumer> missed = new ArrayList<>();
    private final SortedSet<ProcessId> wasStill = new TreeSet<>();
    final SortedSet<ProcessId> proven = new TreeSet<>();
    final SortedSet<ProcessId> givenUp = new TreeSet<>();
    int brokenPaths;
    private boolean isStopped;

    SilentJob(Simulation world, SeededRandom random) {
        this.world = world;
        this.random = random;
        for (int slot = 0; slot < world.ranks(); slot++) {
            ProcessId id = ProcessId.of(slot);
            ranks.put(id, new MuteRank(id, this));
        }
    }

    void start() {
        for (MuteRank rank : ranks.values()) {
            if (rank.isWelcome) {
                judge.runs(rank.id, 0);
            } else {
                judge.waits(rank.id, 0);
            }
            for (ProcessId peer : ranks.keySet()) {
                rank.heardNs.put(peer, 0L);
            }
            later(random.between(0, PERIOD_NS), () -> live(rank));
        }
        later(LOOK_NS, this::launch);
    }

    void log(ProcessId process, String verb, ProcessId other) {
        int peer = other == null ? EventLog.NO_PROCESS : other.slot();
        world.log().add(world.nowNs(), process.slot(), verb, peer, null);
    }

    private void later(long delayNs, Runnable action) {
        world.at(world.nowNs() + delayNs, action);
    }

    SilenceJudge judge() {
        return judge;
    }

    List<MuteRank> ranks() {
        return new ArrayList<>(ranks.values());
    }

    MuteRank rank(int slot) {
        return ranks.get(ProcessId.of(slot));
    }

    /** Whether anything waits for a rank: it knows that it is a member, or another rank is left. */
    boolean isAwaited(MuteRank rank) {
        boolean isAwaited = rank.isWelcome;
        for (MuteRank other : ranks.values()) {
            isAwaited |= other != rank && !other.hasEnded() && !givenUp.contains(other.id);
        }
        return isAwaited;
    }

    boolean isStopped() {
        return isStopped;
    }

    boolean hasGoneOnSinceALook(MuteRank rank) {
        return world.nowNs() - rank.wentOnNs <= LOOK_NS;
    }

    boolean areConnected(ProcessId one, ProcessId other) {
        return !broken.contains(List.of(one, other)) && !broken.contains(List.of(other, one));
    }

    void breakPath(MuteRank from, MuteRank to, boolean bothWays) {
        if (!areConnected(from.id, to.id)) {
            return;
        }
        log(from.id, "cut off", to.id);
        brokenPaths++;
        broken.add(List.of(from.id, to.id));
        if (bothWays) {
            broken.add(List.of(to.id, from.id));
        }
        for (MuteRank rank : List.of(from, to)) {
            ProcessId other = rank == from ? to.id : from.id;
            later(TIMEOUT_NS, () -> rank.input(() -> rank.suspect(other)));
        }
    }

    /**
     * The work of a rank once per period, while it runs: sends a heartbeat to its observer, and, if it knows that it is
     * a member, checks whether it hears the process that it observes.
     */
    private void live(MuteRank rank) {
        if (rank.hasEnded()) {
            return;
        }
        if (rank.runs()) {
            beat(rank, next(rank, 1));
        }
        if (rank.runs() && rank.isWelcome) {
            ProcessId observed = next(rank, -1);
            rank.observe(observed, world.nowNs());
            if (!observed.equals(rank.id) && world.nowNs() - rank.heardNs.get(observed) > TIMEOUT_NS + PERIOD_NS) {
                rank.suspect(observed);
            }
        }
        later(PERIOD_NS, () -> live(rank));
    }

    /**
     * Returns the nearest process that the rank has not marked failed, in one direction of the ring; the rank itself if
     * there is no other.
     */
    private ProcessId next(MuteRank rank, int step) {
        int slot = rank.id.slot();
        do {
            slot = Math.floorMod(slot + step, ranks.size());
        } while (slot != rank.id.slot() && rank.marked.contains(ProcessId.of(slot)));
        return ProcessId.of(slot);
    }

    void beat(MuteRank from, ProcessId to) {
        MuteRank receiver = ranks.get(to);
        if (!to.equals(from.id) && !broken.contains(List.of(from.id, to))) {
            later(
                    random.between(1, MOST_DELAY_NS),
                    () -> receiver.input(() -> {
                        world.log().addUnread(world.nowNs(), to.slot(), from.id.slot(), 0);
                        receiver.onBeat(from.id, world.nowNs());
                    }));
        }
    }

    /**
     * Runs an arrival after some time, so that arrivals from one end at another one keep the order of sending, as over
     * a connection.
     */
    private void inOrder(ProcessId one, ProcessId other, Runnable arrival) {
        List<ProcessId> line = List.of(one, other);
        long atNs = Math.max(world.nowNs() + random.between(1, MOST_DELAY_NS), arrivals.getOrDefault(line, 0L) + 1);
        arrivals.put(line, atNs);
        world.at(atNs, arrival);
    }

    private static ProcessId launcher() {
        return ProcessId.of(1_000);
    }

    void toJudge(MuteRank from, LongConsumer message) {
        inOrder(from.id, launcher(), () -> {
            if (!proven.contains(from.id)) {
                log(launcher(), "hears from", from.id);
                launcherInput(message);
            }
        });
    }

    private void launcherInput(LongConsumer input) {
        if (isStopped) {
            missed.add(input);
        } else {
            input.accept(world.nowNs());
        }
    }

    void stopLauncher(long durationNs) {
        log(launcher(), "is stopped", null);
        isStopped = true;
        later(durationNs, () -> {
            isStopped = false;
            List<LongConsumer> inputs = new ArrayList<>(missed);
            missed.clear();
            inputs.forEach(input -> input.accept(world.nowNs()));
        });
    }

    /**
     * The launcher's work once per look: it looks at all ranks, and lets the judge take its step. Left out while the
     * launcher stands still.
     */
    private void launch() {
        if (!isStopped) {
            for (MuteRank rank : ranks.values()) {
                look(rank);
            }
            judge.onTick(world.nowNs());
        }
        later(LOOK_NS, this::launch);
    }

    private void look(MuteRank rank) {
        char letter =
                switch (rank.state) {
                    case STOPPED -> 'T';
                    case DISK -> 'D';
                    default -> 'S';
                };
        boolean isStill = SilenceJudge.isStill(letter);
        if (!rank.hasEnded() && (isStill || wasStill.contains(rank.id) || rank.isKillPending)) {
            judge.looked(rank.id, letter, rank.isKillPending, world.nowNs());
        }
        if (isStill) {
            wasStill.add(rank.id);
        } else {
            wasStill.remove(rank.id);
        }
    }

    /**
     * A rank has ended: after a short time, or later if the launcher stands still then, the launcher takes the end for
     * proven and tells the ranks.
     */
    void onEnd(MuteRank rank) {
        later(
                random.between(1, PROOF_NS),
                () -> launcherInput(nowNs -> {
                    log(launcher(), "knows the end of", rank.id);
                    proven.add(rank.id);
                    judge.leaves(rank.id, nowNs);
                    tell(rank.id);
                }));
    }

    /** Checks that a process that is marked failed cannot run any more: it has ended, or SIGKILL is pending. */
    void requireOver(ProcessId marked) {
        MuteRank rank = ranks.get(marked);
        if (!rank.hasEnded() && !rank.isKillPending) {
            throw new Violation("rank " + marked + " is held for failed and can run");
        }
    }

    private void tell(ProcessId ended) {
        for (MuteRank rank : ranks.values()) {
            inOrder(launcher(), rank.id, () -> rank.input(() -> rank.mark(ended)));
        }
    }

    @Override
    public void ask(ProcessId member, long question, List<ProcessId> complainers) {
        log(launcher(), "asks", member);
        MuteRank rank = ranks.get(member);
        inOrder(launcher(), member, () -> rank.input(() -> rank.asked(question, complainers)));
    }

    @Override
    public void askComplainer(ProcessId complainer, long question, ProcessId about) {
        log(launcher(), "asks of a complaint", complainer);
        MuteRank rank = ranks.get(complainer);
        inOrder(launcher(), complainer, () -> rank.input(() -> rank.askedAgain(question, about)));
    }

    @Override
    public void kill(ProcessId process, String reason) {
        world.cover(
                reason.contains("(state")
                        ? "ended by its state"
                        : reason.contains("path") ? "ended for a path" : "ended mute");
        log(launcher(), "kills", process);
        later(random.between(1, MOST_KILL_NS), ranks.get(process)::kill);
    }

    @Override
    public void lose(int host, List<ProcessId> processes, String reason) {
        throw new Violation("the launcher's own host is lost");
    }

    @Override
    public void giveUp(ProcessId process, String reason) {
        log(launcher(), "gives up", process);
        world.cover("given up");
        givenUp.add(process);
        tell(process);
    }
}
