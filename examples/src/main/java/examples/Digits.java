package examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * Learns to read handwritten digits on as many ranks as there are, and goes on when some of them die.
 *
 * <p>Each rank holds a shard of the training images; the gradients of all shards are added up by {@code allReduce}. When
 * a rank dies the others revoke the communicator, so that nobody waits in vain, shrink it to the survivors, take the
 * weights of whoever got furthest, divide the images anew and go on.
 *
 * <pre>  bin/mpiexec -n 4 --inject 'kill:rank=2@iter=40' examples Digits [iterations [file for the weights]]</pre>
 */
public final class Digits {
    private static final double RATE = 1.0;

    private final int iterations;
    private final SoftmaxModel model = new SoftmaxModel();
    private final double[] sums = new double[SoftmaxModel.WEIGHTS + 1];
    private Intracomm comm;
    private DigitImages shard;
    private int done;
    private long enteredNs;

    private Digits(Intracomm world, int iterations) {
        this.comm = world;
        this.iterations = iterations;
    }

    public static void main(String[] args) {
        String[] arguments = MPI.Init(args);
        int iterations = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300;
        Digits digits = new Digits(MPI.COMM_WORLD, iterations);
        digits.run();
        if (digits.comm.getRank() == 0) {
            digits.report();
            if (arguments.length > 1) {
                digits.save(Path.of(arguments[1]));
            }
        }
        MPI.Finalize();
    }

    private void run() {
        if (comm.getRank() == 0) {
            System.out.printf(
                    "digits     %d images of 8 x 8 pixels, %d to learn from and %d to test with%n",
                    DigitImages.COUNT, DigitImages.TRAINING_COUNT, DigitImages.TEST_COUNT);
        }
        Recovery recovery = null;
        boolean everywhere;
        do {
            boolean here = false;
            try {
                share(recovery);
                train();
                here = true;
            } catch (ProcFailedException | RevokedException e) {
                recovery = new Recovery(done + 1, enteredNs);
                comm.revoke();
                recovery.revoked();
            }
            everywhere = agreed(here);
            if (!everywhere) {
                recovery = here ? new Recovery(done, enteredNs) : recovery;
                recovery.failed(comm);
                comm = comm.shrink();
                recovery.shrunk();
            }
        } while (!everywhere);
    }

    /**
     * Whether all ranks got through. Decided together: otherwise one rank might go home while another, whose last
     * collective failed, waits for it in {@code shrink}.
     */
    private boolean agreed(boolean here) {
        enteredNs = here ? System.nanoTime() : enteredNs;
        try {
            return comm.agree(here ? 1 : 0) == 1;
        } catch (ProcFailedException e) {
            return false;
        }
    }

    /** Gives everyone the weights of whoever got furthest, and each rank its part of the images. */
    private void share(Recovery recovery) {
        enteredNs = System.nanoTime();
        int[] progress = new int[comm.getSize()];
        comm.allGather(new int[] {done}, 1, MPI.INT, progress, 1, MPI.INT);
        int furthest = 0;
        for (int rank = 1; rank < progress.length; rank++) {
            furthest = progress[rank] > progress[furthest] ? rank : furthest;
        }
        // A broadcast that fails leaves its buffer unspecified, so it must not be the model itself.
        double[] weights = model.weights.clone();
        comm.bcast(weights, weights.length, MPI.DOUBLE, furthest);
        System.arraycopy(weights, 0, model.weights, 0, weights.length);
        done = progress[furthest];

        shard = DigitImages.training(firstImage(comm.getRank()), firstImage(comm.getRank() + 1));
        int[] sizes = new int[comm.getSize()];
        comm.allGather(new int[] {shard.count()}, 1, MPI.INT, sizes, 1, MPI.INT);
        if (comm.getRank() == 0) {
            if (recovery != null) {
                System.out.println(recovery);
            }
            System.out.printf(
                    "%3d %-6s %d images in shards of %s%n",
                    sizes.length,
                    ranks(sizes.length),
                    Arrays.stream(sizes).sum(),
                    Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(" ")));
        }
    }

    private int firstImage(int rank) {
        return DigitImages.TRAINING_COUNT * rank / comm.getSize();
    }

    /** Goes on to the last iteration; {@link #done} counts what is complete, also when an exception ends it. */
    private void train() {
        while (done < iterations) {
            MPI.pControl(done + 1, null);
            Arrays.fill(sums, 0);
            model.addGradient(shard, sums);
            enteredNs = System.nanoTime();
            comm.allReduce(sums, sums.length, MPI.DOUBLE, MPI.SUM);
            model.step(sums, DigitImages.TRAINING_COUNT, RATE);
            done++;
        }
    }

    private void report() {
        int recognised = model.countRecognised(DigitImages.test());
        System.out.printf(
                Locale.ROOT,
                "finished   %d iterations on %d %s, test accuracy %.1f %% (%d of %d)%n",
                done,
                comm.getSize(),
                ranks(comm.getSize()),
                100.0 * recognised / DigitImages.TEST_COUNT,
                recognised,
                DigitImages.TEST_COUNT);
    }

    private static String ranks(int count) {
        return count == 1 ? "rank" : "ranks";
    }

    private void save(Path file) {
        String lines =
                Arrays.stream(model.weights).mapToObj(Double::toString).collect(Collectors.joining("\n", "", "\n"));
        try {
            Files.writeString(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the weights to " + file, e);
        }
    }

    /** When a failure was noticed, and how long each step of getting over it took. */
    private static final class Recovery {
        private final int iteration;
        private final long enteredNs;
        private final long noticedNs = System.nanoTime();
        private long revokedNs = noticedNs;
        private long shrunkNs;
        private List<Integer> failed = List.of();

        Recovery(int iteration, long enteredNs) {
            this.iteration = iteration;
            this.enteredNs = enteredNs;
        }

        void revoked() {
            revokedNs = System.nanoTime();
        }

        /** Remembers who failed, by the ranks they had in the beginning. */
        void failed(Intracomm comm) {
            Group gone = comm.getFailed();
            int[] ranks = new int[gone.getSize()];
            Arrays.setAll(ranks, i -> i);
            failed = Arrays.stream(Group.translateRanks(gone, ranks, MPI.COMM_WORLD.getGroup()))
                    .sorted()
                    .boxed()
                    .toList();
        }

        void shrunk() {
            shrunkNs = System.nanoTime();
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "recovered  in iteration %d from the death of %s %s: noticed %.1f ms into the call, revoked in %.1f ms,"
                            + " shrunk in %.1f ms",
                    iteration,
                    ranks(failed.size()),
                    failed.stream().map(String::valueOf).collect(Collectors.joining(", ")),
                    (noticedNs - enteredNs) / 1e6,
                    (revokedNs - noticedNs) / 1e6,
                    (shrunkNs - revokedNs) / 1e6);
        }
    }
}
