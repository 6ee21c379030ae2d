package org.ulfmj.testkit.grow;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.sim.ProcessResult;
import org.ulfmj.testkit.sim.Seeds;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * An elastic job of the whole runtime in simulated time: its ranks add up the same numbers again and again, let in
 * processes that wait, and leave out dead ones. It notes which process has entered which world. Public, since the world
 * of a mutant calls it. There is one object per run.
 */
public final class GrowingStory {
    private static final int JOINERS = 3;
    private static final int ROUNDS = 30;
    private static final int NUMBERS = 60;
    private static final long SUM = NUMBERS * (NUMBERS + 1) / 2;

    /** A world that some process has entered. */
    private record World(SlotRuns members, SortedSet<Integer> entered) {}

    private final SortedMap<Long, World> worlds = new TreeMap<>();
    /** For each slot: the id of the world in which its process came to the end of its rounds. */
    private final SortedMap<Integer, Long> last = new TreeMap<>();

    private String wrong = "";

    private GrowingStory() {}

    /**
     * Runs this program for the seeds from {@code first} to {@code last}, and stops soon after ten have failed. Returns
     * what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return run(first, last, ranks, faults, new AtomicInteger());
    }

    /**
     * @param grown is increased, for each seed whose run ended, by the number of worlds that processes have entered,
     *     not counting the first one
     */
    static String run(long first, long last, int ranks, String faults, AtomicInteger grown) {
        GrowingStory[] stories = new GrowingStory[(int) (last - first + 1)];
        Seeds seeds = SimWorld.of(ranks)
                .joining(JOINERS)
                .faults(faults)
                .runSeeds(
                        first, last, 2, seed -> (stories[(int) (seed - first)] = new GrowingStory())::main, result -> {
                            GrowingStory story = stories[(int) (result.seed() - first)];
                            grown.addAndGet(story.worlds.size() - 1);
                            story.check(result);
                        });
        return seeds.failures().isEmpty()
                ? ""
                : "seed " + seeds.failures().get(0).seed() + ": "
                        + seeds.failures().get(0).thrown();
    }

    private void main() {
        MPI.Init(new String[0]);
        RankRuntime me = RankBinding.current().runtime();
        Intracomm world = MPI.COMM_WORLD;
        long[] state = new long[2];
        while (true) {
            enter(me);
            boolean mustGrow = false;
            while (!mustGrow) {
                long[] next = {state[0], state[1], MPI.numWaiting()};
                if (!haveAllMet(world, addUp(world, next))) {
                    mustGrow = true;
                    continue;
                }
                state[0] = next[0] + 1;
                state[1] = next[1];
                if (state[0] == ROUNDS) {
                    end(me, state[1]);
                    MPI.Finalize();
                    return;
                }
                mustGrow = next[2] > 0;
            }
            world = world.grow();
        }
    }

    /**
     * Takes over round and total of the member that has done most rounds, and adds the sum of the numbers to the total.
     * Returns false, after revoking, if a collective failed.
     */
    private static boolean addUp(Intracomm world, long[] state) {
        long[] sum = {0};
        for (int number = 1 + world.getRank(); number <= NUMBERS; number += world.getSize()) {
            sum[0] += number;
        }
        try {
            world.allReduce(state, state.length, MPI.LONG, MPI.MAX);
            world.allReduce(sum, 1, MPI.LONG, MPI.SUM);
            state[1] += sum[0];
            return true;
        } catch (MPIException failed) {
            world.revoke();
            return false;
        }
    }

    private static boolean haveAllMet(Intracomm world, boolean haveMet) {
        try {
            return world.agree(haveMet ? 1 : 0) == 1;
        } catch (MPIException failed) {
            return false;
        }
    }

    private synchronized void enter(RankRuntime me) {
        SlotRuns members = me.world().members();
        World world = worlds.computeIfAbsent(me.world().id(), id -> new World(members, new TreeSet<>()));
        world.entered().add(me.id().slot());
        if (!world.members().equals(members)) {
            wrong = "the world of " + world + " has other members at process " + me.id() + ": " + members;
        }
    }

    private synchronized void end(RankRuntime me, long total) {
        last.put(me.id().slot(), me.world().id());
        if (total != ROUNDS * SUM) {
            wrong = "process " + me.id() + " has a total of " + total + " and not of " + ROUNDS * SUM;
        }
    }

    /**
     * Requires that all ranks that finished did so in the same world, and with the right sum. Each world that one of
     * them entered must have been entered by all its members that were not killed, so that no rank ran in a world that
     * another live rank did not know; excepted are, in a run with deaths, joiners that have entered no world at all.
     */
    private synchronized void check(SimResult result) {
        List<ProcessResult> ends = result.processes();
        SortedSet<Integer> killed = slots(ends, RankEnd.KILLED);
        SortedSet<Integer> finished = slots(ends, RankEnd.FINALIZED);
        SortedSet<Integer> notLetIn = slots(ends, RankEnd.NOT_ADMITTED);
        require(wrong.isEmpty(), wrong);
        require(
                killed.size() + finished.size() + notLetIn.size()
                        == result.processes().size(),
                "a process ended otherwise: " + ends);
        require(!finished.isEmpty(), "no process came to the end");
        require(last.keySet().containsAll(finished), "one finished without the sum: " + ends);
        last.keySet().retainAll(finished); // the others go on without a process that dies in Finalize
        require(new TreeSet<>(last.values()).size() == 1, "processes end in several worlds: " + last + " of " + worlds);
        for (World world : worlds.values()) {
            Optional<Integer> witness =
                    world.entered().stream().filter(finished::contains).findFirst();
            for (int rank = 0; rank < world.members().size() && witness.isPresent(); rank++) {
                int slot = world.members().slot(rank);
                // A joiner that a world names may have entered no world if the members that named it have died (ADR
                // 42).
                boolean isOfNoWorld = !killed.isEmpty()
                        && worlds.values().stream()
                                .noneMatch(each -> each.entered().contains(slot));
                require(
                        world.entered().contains(slot) || killed.contains(slot) || isOfNoWorld,
                        "process " + witness.get() + " ran in " + world + ", and " + slot + " did not: " + ends);
            }
            for (int slot : world.entered()) {
                require(world.members().contains(slot), "process " + slot + " is no member of its own world: " + world);
                require(!notLetIn.contains(slot), "process " + slot + " ran in " + world + " and was not needed");
            }
        }
    }

    private static SortedSet<Integer> slots(List<ProcessResult> ends, RankEnd end) {
        SortedSet<Integer> slots = new TreeSet<>();
        for (ProcessResult process : ends) {
            if (process.outcome().end() == end) {
                slots.add(process.id().slot());
            }
        }
        return slots;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
