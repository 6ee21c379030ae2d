package examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;

/**
 * Learns to read handwritten digits on as many ranks as there are, and goes on when some of them die.
 *
 * <p>Each rank holds a shard of the training images; the gradients of all shards are added up by {@code allReduce}.
 * When a rank dies, {@link Resilient} brings the survivors together; they take the weights of the rank that got
 * furthest, divide the images anew and go on.
 *
 * <pre>  bin/mpiexec -n 4 --inject 'kill:rank=2@iter=40' examples Digits [iterations [file for the weights]]</pre>
 */
public final class Digits implements Resilient.Loop {
    private static final double RATE = 1.0;

    private final int iterations;
    private final SoftmaxModel model = new SoftmaxModel();
    private final double[] sums = new double[SoftmaxModel.WEIGHTS + 1];
    private DigitImages shard;
    private int done;
    private long enteredNs;

    private Digits(int iterations) {
        this.iterations = iterations;
    }

    public static void main(String[] args) {
        String[] arguments = MPI.Init(args);
        int iterations = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300;
        if (MPI.COMM_WORLD.getRank() == 0) {
            Print.line(
                    "digits     %d images of 8 x 8 pixels, %d to learn from and %d to test with",
                    DigitImages.COUNT, DigitImages.TRAINING_COUNT, DigitImages.TEST_COUNT);
        }
        Digits digits = new Digits(iterations);
        Intracomm left = Resilient.run(MPI.COMM_WORLD, digits);
        if (left.getRank() == 0) {
            digits.report(left.getSize());
            if (arguments.length > 1) {
                digits.save(Path.of(arguments[1]));
            }
        }
        MPI.Finalize();
    }

    @Override
    public void work(Intracomm comm) {
        divide(comm);
        train(comm);
        enteredNs = System.nanoTime();
    }

    /** Gives all ranks the weights of the rank that has done most iterations. */
    @Override
    public void restore(Intracomm comm, Resilient.Recovery recovery) {
        if (comm.getRank() == 0) {
            tell(recovery);
        }
        enteredNs = System.nanoTime();
        int[] progress = new int[comm.getSize()];
        comm.allGather(new int[] {done}, 1, MPI.INT, progress, 1, MPI.INT);
        int furthest = 0;
        for (int rank = 1; rank < progress.length; rank++) {
            furthest = progress[rank] > progress[furthest] ? rank : furthest;
        }
        // The broadcast uses a copy of the weights, since a broadcast that fails leaves its buffer unspecified.
        double[] weights = model.weights.clone();
        comm.bcast(weights, weights.length, MPI.DOUBLE, furthest);
        System.arraycopy(weights, 0, model.weights, 0, weights.length);
        done = progress[furthest];
    }

    /** Gives each rank its part of the images. */
    private void divide(Intracomm comm) {
        shard = DigitImages.training(firstImage(comm, comm.getRank()), firstImage(comm, comm.getRank() + 1));
        int[] sizes = new int[comm.getSize()];
        enteredNs = System.nanoTime();
        comm.allGather(new int[] {shard.count()}, 1, MPI.INT, sizes, 1, MPI.INT);
        if (comm.getRank() == 0) {
            Print.line(
                    "%3d %-6s %d images in shards of %s",
                    sizes.length,
                    Survivors.ranks(sizes.length),
                    Arrays.stream(sizes).sum(),
                    Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(" ")));
        }
    }

    private static int firstImage(Intracomm comm, int rank) {
        return DigitImages.TRAINING_COUNT * rank / comm.getSize();
    }

    /**
     * Trains up to the last iteration. {@link #done} counts the complete iterations, also when an exception ends the
     * training.
     */
    private void train(Intracomm comm) {
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

    private void report(int ranks) {
        int recognised = model.countRecognised(DigitImages.test());
        Print.line(
                "finished   %d iterations on %d %s, test accuracy %.1f %% (%d of %d)",
                done,
                ranks,
                Survivors.ranks(ranks),
                100.0 * recognised / DigitImages.TEST_COUNT,
                recognised,
                DigitImages.TEST_COUNT);
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

    /**
     * Prints the iteration, which ranks died, the time from the begin of this rank's last timed call until it noticed,
     * and how long the revocation and the shrinking took.
     */
    private void tell(Resilient.Recovery recovery) {
        Print.line(
                "recovered  in iteration %d from the death of %s: noticed %.1f ms into the call, revoked in %.1f ms,"
                        + " shrunk in %.1f ms",
                Math.min(done + 1, iterations),
                Survivors.names(recovery.getFailed()),
                (recovery.getNoticedNs() - enteredNs) / 1e6,
                (recovery.getRevokedNs() - recovery.getNoticedNs()) / 1e6,
                (recovery.getShrunkNs() - recovery.getRevokedNs()) / 1e6);
    }
}
