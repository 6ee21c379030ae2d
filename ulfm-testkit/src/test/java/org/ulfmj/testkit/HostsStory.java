package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.slots;
import static org.ulfmj.testkit.Survival.agreed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * A program of collectives and agreements for ranks on several hosts. Operations, roots and lengths are drawn from the
 * seed, some operations are blocking and some non-blocking, and every operation that succeeds must have the right
 * result. Public, since the worlds of mutants call it.
 */
public final class HostsStory {
    private static final int MOST_HOSTS = 3;
    private static final int OPERATIONS = 14;
    private static final int[] COUNTS = {0, 1, 3, 40, 600, 9000};

    private HostsStory() {}

    /**
     * Runs this program under the seeds from {@code first} to {@code last} until one fails. Returns what went wrong
     * with the first seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        for (long seed = first; seed <= last; seed++) {
            SimWorld world = SimWorld.of(ranks).hosts(hosts(seed));
            String wrong = Stories.run(world, seed, seed, faults, each -> () -> play(each));
            if (!wrong.isEmpty()) {
                return wrong;
            }
        }
        return "";
    }

    /**
     * Returns the host of each rank and incarnation, drawn from a seed among {@code MOST_HOSTS} hosts: the replacement
     * of a dead process may be on another host. For every third seed, ranks 2 n and 2 n + 1 share host n instead, in
     * every incarnation.
     */
    static IntBinaryOperator hosts(long seed) {
        return (rank, incarnation) -> {
            Random random = new Random(seed * 1_000_003 + 31L * rank + 7L * incarnation);
            random.nextInt();
            return seed % 3 == 0 ? rank / 2 : random.nextInt(MOST_HOSTS);
        };
    }

    /**
     * Does all parts of the program. After a failure the survivors shrink the communicator, and repeat the part on the
     * new communicator until all of them have done it.
     */
    static void play(long seed) {
        MPI.Init(new String[0]);
        Intracomm comm = MPI.COMM_WORLD;
        for (int part = 0; part < 3; ) {
            boolean isDone = false;
            try {
                Random random = new Random(seed * 31 + part);
                for (int i = 0; i < OPERATIONS; i++) {
                    operate(comm, random);
                }
                isDone = true;
            } catch (ProcFailedException | RevokedException error) {
                comm.revoke();
            }
            if (agreed(comm, isDone)) {
                part++;
            } else {
                comm = comm.shrink();
            }
        }
        MPI.Finalize();
    }

    private static void operate(Intracomm comm, Random random) {
        int kind = random.nextInt(6);
        int count = COUNTS[random.nextInt(COUNTS.length)];
        int root = random.nextInt(comm.getSize());
        boolean isStarted = random.nextBoolean();
        int rank = comm.getRank();
        int size = comm.getSize();
        int[] slots = slots(comm);
        boolean isRoot = rank == root;
        switch (kind) {
            case 0 -> done(isStarted ? comm.iBarrier() : none(comm::barrier));
            case 1 -> {
                LongBuffer data = isRoot ? vector(slots[root], count) : longs(count);
                done(
                        isStarted
                                ? comm.iBcast(data, count, MPI.LONG, root)
                                : none(() -> comm.bcast(data, count, MPI.LONG, root)));
                assertThat(data).isEqualTo(vector(slots[root], count));
            }
            case 2 -> {
                LongBuffer sum = longs(count);
                LongBuffer mine = vector(slots[rank], count);
                done(
                        isStarted
                                ? comm.iAllReduce(mine, sum, count, MPI.LONG, MPI.SUM)
                                : none(() -> comm.allReduce(mine, sum, count, MPI.LONG, MPI.SUM)));
                assertThat(sum).isEqualTo(sum(slots, count));
            }
            case 3 -> {
                LongBuffer sum = longs(count);
                LongBuffer mine = vector(slots[rank], count);
                done(
                        isStarted
                                ? comm.iReduce(mine, sum, count, MPI.LONG, MPI.SUM, root)
                                : none(() -> comm.reduce(mine, sum, count, MPI.LONG, MPI.SUM, root)));
                assertThat(sum).isEqualTo(isRoot ? sum(slots, count) : longs(count));
            }
            case 4 -> {
                LongBuffer all = longs(count * size);
                LongBuffer mine = vector(slots[rank], count);
                done(
                        isStarted
                                ? comm.iAllGather(mine, count, MPI.LONG, all, count, MPI.LONG)
                                : none(() -> comm.allGather(mine, count, MPI.LONG, all, count, MPI.LONG)));
                assertThat(all).isEqualTo(parts(slots, count));
            }
            default -> {
                LongBuffer all = longs(count * size);
                LongBuffer mine = vector(slots[rank], count);
                done(
                        isStarted
                                ? comm.iGather(mine, count, MPI.LONG, all, count, MPI.LONG, root)
                                : none(() -> comm.gather(mine, count, MPI.LONG, all, count, MPI.LONG, root)));
                assertThat(all).isEqualTo(isRoot ? parts(slots, count) : longs(count * size));
            }
        }
    }

    private static Request none(Runnable call) {
        call.run();
        return null;
    }

    private static void done(Request request) {
        if (request != null) {
            request.waitFor();
        }
    }

    private static LongBuffer longs(int count) {
        return ByteBuffer.allocateDirect(8 * count)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
    }

    private static LongBuffer vector(int slot, int count) {
        LongBuffer data = longs(count);
        for (int i = 0; i < count; i++) {
            data.put(i, (slot + 1L) * 1_000_000 + i);
        }
        return data;
    }

    private static LongBuffer sum(int[] slots, int count) {
        LongBuffer data = longs(count);
        long first =
                Arrays.stream(slots).mapToLong(slot -> (slot + 1L) * 1_000_000).sum();
        for (int i = 0; i < count; i++) {
            data.put(i, first + (long) slots.length * i);
        }
        return data;
    }

    private static LongBuffer parts(int[] slots, int count) {
        LongBuffer data = longs(count * slots.length);
        for (int slot : slots) {
            data.put(vector(slot, count));
        }
        return data.clear();
    }
}
