package examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Resilient;

/**
 * Runs collectives and messages of several sizes with content that every rank can compute. In every fourth round some
 * ranks are killed, each at a random moment. Once they are replaced, the round is done again if no rank has done it.
 *
 * <p>Arguments: rounds, how many ranks die together, seed.
 */
final class ReplacedOften implements Resilient.Loop {
    private static final int KILL_EVERY = 4;
    private static final int STEPS = 12;
    private static final int[] COUNTS = {1, 100, 5_000, 40_000, 130_000};
    private static final int LATEST_KILL_US = 4_000;

    private final int rounds;
    private final int together;
    private final long seed;
    /** Two numbers: the completed rounds, and the total of their sums. */
    private long[] state = new long[2];

    private ReplacedOften(int rounds, int together, long seed) {
        this.rounds = rounds;
        this.together = together;
        this.seed = seed;
    }

    public static void main(String[] args) {
        MPI.Init(args);
        ReplacedOften program =
                new ReplacedOften(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Long.parseLong(args[2]));
        Intracomm world = Resilient.run(MPI.COMM_WORLD, Resilient.Policy.REPLACE, program);
        if (world.getRank() == 0) {
            System.out.println(
                    "sum of " + program.state[0] + " rounds on " + world.getSize() + " ranks: " + program.state[1]);
        }
        MPI.Finalize();
    }

    @Override
    public void work(Intracomm comm) {
        while (state[0] < rounds) {
            int round = (int) state[0];
            boolean isToDie = isKilledIn(comm, round);
            SplittableRandom random = new SplittableRandom(seed * 77 + round);
            for (int step = 0; step < STEPS; step++) {
                step(comm, round, step, random);
            }
            long[] sum = {comm.getRank() + 1};
            comm.allReduce(sum, 1, MPI.LONG, MPI.SUM);
            state[1] += sum[0];
            state[0]++;
            while (isToDie) {
                // The kill signal has not come yet, and the program may not end before it.
                LockSupport.park();
            }
        }
    }

    /**
     * Lets this process be killed at a random moment from now if the plan names its rank for the round, and its rank
     * has died as often as was planned for the rounds before. Returns whether both are so. The rank of its replacement
     * has died once more, so the replacement is not killed if the round is repeated.
     */
    private boolean isKilledIn(Intracomm comm, int round) {
        int deathsBefore = 0;
        for (int earlier = 1; earlier < round; earlier++) {
            deathsBefore += isVictim(comm, earlier) ? 1 : 0;
        }
        boolean isToDie = isVictim(comm, round) && MPI.getIncarnation() == deathsBefore;
        if (isToDie) {
            long delayUs = new SplittableRandom().nextInt(LATEST_KILL_US);
            Thread killer = new Thread(() -> {
                LockSupport.parkNanos(delayUs * 1_000);
                try {
                    new ProcessBuilder(
                                    "kill",
                                    "-9",
                                    Long.toString(ProcessHandle.current().pid()))
                            .start();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            killer.setDaemon(true);
            killer.start();
        }
        return isToDie;
    }

    private boolean isVictim(Intracomm comm, int round) {
        if (round % KILL_EVERY != KILL_EVERY - 1) {
            return false;
        }
        int first = new SplittableRandom(seed * 1_000_003 + round * 7_919L).nextInt(comm.getSize());
        return (comm.getRank() - first + comm.getSize()) % comm.getSize() < together;
    }

    private static void step(Intracomm comm, int round, int step, SplittableRandom random) {
        int rank = comm.getRank();
        int size = comm.getSize();
        int kind = random.nextInt(5);
        double[] data = new double[COUNTS[random.nextInt(COUNTS.length)]];
        int root = random.nextInt(size);
        int distance = 1 + random.nextInt(size - 1);
        switch (kind) {
            case 0 -> {
                Arrays.fill(data, rank + 1);
                comm.allReduce(data, data.length, MPI.DOUBLE, MPI.SUM);
                require(data, size * (size + 1) / 2.0, "allReduce");
            }
            case 1 -> {
                Arrays.fill(data, rank == root ? round + 7 : 0);
                comm.bcast(data, data.length, MPI.DOUBLE, root);
                require(data, round + 7, "bcast");
            }
            case 2 -> comm.barrier();
            default -> {
                int from = (rank + size - distance) % size;
                Arrays.fill(data, 1_000.0 * rank + round);
                Request send = comm.iSend(
                        MPI.newDoubleBuffer(data.length).put(data).flip(),
                        data.length,
                        MPI.DOUBLE,
                        (rank + distance) % size,
                        step);
                comm.recv(data, data.length, MPI.DOUBLE, from, step);
                send.waitFor();
                require(data, 1_000.0 * from + round, "message");
            }
        }
    }

    private static void require(double[] data, double value, String what) {
        for (int i = 0; i < data.length; i++) {
            if (data[i] != value) {
                throw new AssertionError(
                        what + " of " + data.length + " gave " + data[i] + " at " + i + ", right is " + value);
            }
        }
    }

    @Override
    public void restore(Intracomm comm, Resilient.Recovery recovery) {
        long[] furthest = {state[0] * comm.getSize() + comm.getRank()};
        comm.allReduce(furthest, 1, MPI.LONG, MPI.MAX);
        long[] known = state.clone();
        comm.bcast(known, known.length, MPI.LONG, (int) (furthest[0] % comm.getSize()));
        state = known;
    }
}
