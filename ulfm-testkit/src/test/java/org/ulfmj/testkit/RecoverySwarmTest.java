package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.program;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs random collectives and exchanges of messages with random deaths, and with live ranks that are declared failed.
 * No rank may hang, every result of a call that returned must be right, and calls may raise only the errors of fault
 * tolerance. The survivors recover and finish the work.
 */
class RecoverySwarmTest {
    private static final int STEPS = 25;
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    static LongStream seeds() {
        return LongStream.range(0, 80);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFinishTheWorkWithTheRanksThatAreLeft(long seed) {
        Random random = new Random(seed);
        int size = 2 + random.nextInt(6);
        LocalWorld world = LocalWorld.of(size);
        int faults = random.nextInt(size);
        for (int i = 0; i < faults; i++) {
            // Rank 0 is never killed, so that at least one rank survives.
            world.killing(1 + random.nextInt(size - 1), "*", 1 + random.nextInt(3 * STEPS));
        }
        List<Misdeed> misdeeds = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            misdeeds.add(Misdeed.of(size, random));
        }
        LocalResult result = world.run(swarm(seed, misdeeds));
        result.requireSurvivorsSucceeded();
        assertThat(result.end(0)).as("seed %d: %s", seed, result).isEqualTo(RankEnd.FINALIZED);
        assertThat(result.ranks(RankEnd.RETURNED)).as("seed %d", seed).isEmpty();
    }

    /** Returns the main of each rank for a seed, without deaths or false suspicions by the program itself. */
    static RankMain swarm(long seed) {
        return swarm(seed, List.of());
    }

    private static RankMain swarm(long seed, List<Misdeed> misdeeds) {
        return program(rank -> {
            Work work = new Work(seed);
            while (!work.isFinished()) {
                boolean succeeded = work.attempt(step -> misdeeds.forEach(misdeed -> misdeed.commit(rank, step)));
                work.recoverUnless(succeeded);
            }
        });
    }

    private interface Mishap {
        void at(int step);
    }

    /**
     * When rank {@code by} has reached a given step, it has another rank killed at whatever point that one is, or, if
     * {@code isFalse}, declares it failed though it lives.
     */
    private record Misdeed(int by, int victim, int step, boolean isFalse) {
        static Misdeed of(int size, Random random) {
            return new Misdeed(
                    random.nextInt(size), 1 + random.nextInt(size - 1), random.nextInt(STEPS), random.nextBoolean());
        }

        void commit(int rank, int atStep) {
            if (rank != by || atStep != step || rank == victim) {
                return;
            }
            if (isFalse) {
                Faults.suspect(victim);
            } else {
                Faults.kill(victim);
            }
        }
    }

    /** The state of one rank and its steps, all on the current communicator of the survivors. */
    private static final class Work {
        private final long seed;
        private Intracomm comm = WORLD;
        private int step;
        private boolean finished;

        Work(long seed) {
            this.seed = seed;
        }

        boolean isFinished() {
            return finished;
        }

        /** Works to the end or to the first error. After an error it revokes, so that the others get an error too. */
        boolean attempt(Mishap mishap) {
            try {
                int[] common = new int[1];
                comm.allReduce(new int[] {step}, common, 1, MPI.INT, MPI.MIN);
                step = common[0];
                while (step < STEPS) {
                    mishap.at(step);
                    Steps.run(comm, seed, step);
                    step++;
                }
                return true;
            } catch (MPIException e) {
                assertThat(e.getErrorClass())
                        .as("seed %d, step %d: %s", seed, step, e)
                        .isIn(MPI.ERR_PROC_FAILED, MPI.ERR_PROC_FAILED_PENDING, MPI.ERR_REVOKED);
                comm.revoke();
                return false;
            }
        }

        /**
         * Lets all ranks agree whether all of them have finished; if not, they shrink. All members get the same value
         * and the same error of agree, so all go on in the same way.
         */
        void recoverUnless(boolean succeeded) {
            int[] all = {succeeded ? 1 : 0};
            boolean failed = false;
            try {
                agree(all);
            } catch (MPIException e) {
                assertThat(e.getErrorClass()).as("seed %d: %s", seed, e).isEqualTo(MPI.ERR_PROC_FAILED);
                failed = true;
            }
            if (!failed && all[0] == 1) {
                finished = true;
            } else {
                shrink();
            }
        }

        private void agree(int[] flag) {
            if (seed % 3 == 0) {
                IntBuffer value = MPI.newIntBuffer(1).put(0, flag[0]);
                comm.iAgree(value).waitFor();
                flag[0] = value.get(0);
            } else {
                comm.agree(flag);
            }
        }

        private void shrink() {
            if (seed % 3 == 0) {
                Intracomm smaller = comm.iShrink();
                smaller.getRequest().waitFor();
                comm = smaller;
            } else {
                comm = comm.shrink();
            }
        }
    }

    /**
     * Runs one random operation of a step; its arguments and its right result follow from the seed, the step and the
     * members.
     */
    private static final class Steps {
        private final Intracomm comm;
        private final int step;
        private final int size;
        private final int rank;
        private final int count;
        private final int root;
        private final int[] slots;

        private Steps(Intracomm comm, int step, Random random) {
            this.comm = comm;
            this.step = step;
            this.size = comm.getSize();
            this.rank = comm.getRank();
            this.count = new int[] {1, 3, 200, 9000, 30_000}[random.nextInt(5)];
            this.root = random.nextInt(1000) % size;
            this.slots = Programs.slots(comm);
        }

        static void run(Intracomm comm, long seed, int step) {
            Random random = new Random(1000 * seed + step);
            int kind = random.nextInt(12);
            Steps steps = new Steps(comm, step, random);
            switch (kind) {
                case 0 -> comm.barrier();
                case 1 -> steps.broadcast();
                case 2 -> steps.allReduce();
                case 3 -> steps.reduce();
                case 4 -> steps.gather();
                case 5 -> steps.scatter();
                case 6 -> steps.allGather();
                case 7 -> steps.allToAll();
                case 8 -> steps.scan();
                case 9 -> steps.everybodyWithEverybody(random.nextBoolean());
                case 10 -> steps.firstThatComes();
                default -> steps.ring();
            }
        }

        private void broadcast() {
            long[] data = rank == root ? own(root) : new long[count];
            comm.bcast(data, count, MPI.LONG, root);
            assertThat(data).isEqualTo(own(root));
        }

        private void allReduce() {
            long[] data = new long[count];
            comm.allReduce(own(rank), data, count, MPI.LONG, MPI.SUM);
            assertThat(data).isEqualTo(sum(size));
        }

        private void reduce() {
            long[] data = new long[count];
            comm.reduce(own(rank), data, count, MPI.LONG, MPI.SUM, root);
            assertThat(data).isEqualTo(rank == root ? sum(size) : new long[count]);
        }

        private void gather() {
            long[] data = rank == root ? new long[size * count] : null;
            comm.gather(own(rank), count, MPI.LONG, data, count, MPI.LONG, root);
            if (rank == root) {
                assertThat(data).isEqualTo(all());
            }
        }

        private void scatter() {
            long[] data = new long[count];
            comm.scatter(rank == root ? all() : null, count, MPI.LONG, data, count, MPI.LONG, root);
            assertThat(data).isEqualTo(own(rank));
        }

        private void allGather() {
            long[] data = new long[size * count];
            comm.allGather(own(rank), count, MPI.LONG, data, count, MPI.LONG);
            assertThat(data).isEqualTo(all());
        }

        private void allToAll() {
            long[] source = new long[size];
            long[] target = new long[size];
            long[] expected = new long[size];
            for (int other = 0; other < size; other++) {
                source[other] = value(rank, other);
                expected[other] = value(other, rank);
            }
            comm.allToAll(source, 1, MPI.LONG, target, 1, MPI.LONG);
            assertThat(target).isEqualTo(expected);
        }

        private void scan() {
            long[] data = new long[count];
            comm.scan(own(rank), data, count, MPI.LONG, MPI.SUM);
            assertThat(data).isEqualTo(sum(rank + 1));
        }

        private void ring() {
            long[] data = own(rank);
            int left = (rank + size - 1) % size;
            comm.sendRecvReplace(data, count, MPI.LONG, (rank + 1) % size, step, left, step);
            assertThat(data).isEqualTo(own(left));
        }

        private void everybodyWithEverybody(boolean atOnce) {
            LongBuffer[] in = new LongBuffer[size];
            Request[] requests = new Request[2 * size];
            for (int other = 0; other < size; other++) {
                in[other] = MPI.newLongBuffer(count);
                requests[other] = comm.iRecv(in[other], count, MPI.LONG, other, step);
                requests[size + other] = comm.iSend(MPI.slice(own(rank), 0), count, MPI.LONG, other, step);
            }
            if (atOnce) {
                Request.waitAll(requests);
            } else {
                while (Request.waitSome(requests) != null) {
                    Thread.onSpinWait();
                }
            }
            for (int other = 0; other < size; other++) {
                assertThat(in[other]).isEqualTo(LongBuffer.wrap(own(other)));
            }
        }

        /**
         * Each rank sends one message with this step's tag to each member, itself included, and receives from any
         * source: the receives may get the messages in any order.
         */
        private void firstThatComes() {
            Request[] sends = new Request[size];
            LongBuffer[] in = new LongBuffer[size];
            Request[] receives = new Request[size];
            for (int other = 0; other < size; other++) {
                in[other] = MPI.newLongBuffer(count);
                receives[other] = comm.iRecv(in[other], count, MPI.LONG, MPI.ANY_SOURCE, step);
                sends[other] = comm.iSend(MPI.slice(own(rank), 0), count, MPI.LONG, other, step);
            }
            boolean[] seen = new boolean[size];
            for (int i = 0; i < size; i++) {
                Status status = Request.waitAnyStatus(receives);
                assertThat(seen[status.getSource()]).isFalse();
                seen[status.getSource()] = true;
                assertThat(in[status.getIndex()]).isEqualTo(LongBuffer.wrap(own(status.getSource())));
            }
            Request.waitAll(sends);
        }

        private long value(int owner, int index) {
            return 1_000_003L * slots[owner] + 31L * index + step;
        }

        private long[] own(int owner) {
            long[] data = new long[count];
            for (int i = 0; i < count; i++) {
                data[i] = value(owner, i);
            }
            return data;
        }

        private long[] all() {
            long[] data = new long[size * count];
            for (int owner = 0; owner < size; owner++) {
                System.arraycopy(own(owner), 0, data, owner * count, count);
            }
            return data;
        }

        private long[] sum(int ranks) {
            long[] data = new long[count];
            for (int owner = 0; owner < ranks; owner++) {
                for (int i = 0; i < count; i++) {
                    data[i] += value(owner, i);
                }
            }
            return data;
        }
    }
}
