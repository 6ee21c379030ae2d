package examples;

import java.nio.LongBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * Pairs of ranks send each other large messages between buffers of {@code MPI.newLongBuffer}, which lie in memory
 * shared on the host, so that sender and receiver copy each message together. During that rank 0 stops or kills the
 * second rank of each pair, or revokes their communicator while one rank is stopped. What a rank writes into its buffer
 * once its receive has ended must stay. Arguments: {@code stop}, {@code kill} or {@code revoke}, a seed, and for
 * {@code revoke} how often.
 */
public final class BothCopy {
    private static final int WORDS = 512 * 1024;
    /**
     * The distance between words that are written and checked, in words: one word per page, so that the ranks spend
     * nearly all time copying.
     */
    private static final int STRIDE = 512;

    private static final int BEGUN = 1;
    private static final int MARKED = 2;
    private static final int ENDED = 3;
    private static final long MARK = -1;
    private static final int MESSAGES_BEFORE = 50;
    private static final long MOST_SECONDS = 60;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int me = world.getRank();
    private final int partner = me % 2 == 0 ? me - 1 : me + 1;
    private final LongBuffer out = MPI.newLongBuffer(WORDS);
    private final LongBuffer in = MPI.newLongBuffer(WORDS);
    private final long[] pids = new long[world.getSize()];
    private long messages;

    private BothCopy() {
        world.allGather(new long[] {ProcessHandle.current().pid()}, 1, MPI.LONG, pids, 1, MPI.LONG);
    }

    public static void main(String[] args) {
        MPI.Init(args);
        BothCopy program = new BothCopy();
        SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]));
        if (args[0].equals("revoke")) {
            program.revoke(random, Integer.parseInt(args[2]));
        } else {
            program.fail(random, args[0].equals("kill"));
        }
        MPI.Finalize();
    }

    /** Exchanges messages with the partner until an error ends that. */
    private void exchange(Intracomm comm) {
        for (long number = 0; ; number++) {
            fill(out, number);
            if (me < partner) {
                comm.send(out, WORDS, MPI.LONG, partner, 0);
                comm.recv(in, WORDS, MPI.LONG, partner, 0);
            } else {
                comm.recv(in, WORDS, MPI.LONG, partner, 0);
                comm.send(out, WORDS, MPI.LONG, partner, 0);
            }
            require(in, number, "message");
            messages++;
            if (number == MESSAGES_BEFORE && me < partner) {
                world.send(new byte[1], 1, MPI.BYTE, 0, BEGUN);
            }
        }
    }

    private void fail(SplittableRandom random, boolean isKill) {
        if (me == 0) {
            control(random, isKill);
        } else {
            try {
                exchange(world);
            } catch (ProcFailedException expected) {
                fill(in, MARK);
                world.send(new byte[1], 1, MPI.BYTE, 0, MARKED);
                world.recv(new byte[1], 1, MPI.BYTE, 0, ENDED);
                require(in, MARK, "mark");
                System.out.println("rank " + me + ": unchanged");
            }
        }
        world.shrink().barrier();
    }

    private void control(SplittableRandom random, boolean isKill) {
        for (int victim = 2; victim < pids.length; victim += 2) {
            world.recv(new byte[1], 1, MPI.BYTE, victim - 1, BEGUN);
        }
        for (int victim = 2; victim < pids.length; victim += 2) {
            LockSupport.parkNanos(random.nextLong(1_000_000));
            if (isKill) {
                ProcessHandle.of(pids[victim]).ifPresent(ProcessHandle::destroyForcibly);
            } else {
                Signal.stop(pids[victim]);
            }
        }
        for (int victim = 2; victim < pids.length; victim += 2) {
            world.recv(new byte[1], 1, MPI.BYTE, victim - 1, MARKED);
        }
        for (int victim = 2; victim < pids.length; victim += 2) {
            // The partner's runtime may have ended the stopped rank, because that rank could otherwise write to the
            // partner's memory when it goes on.
            if (!isKill && ProcessHandle.of(pids[victim]).isPresent()) {
                goOn(pids[victim]);
            }
            System.out.println("rank " + victim + " ended " + Signal.awaitEnd(pids[victim], MOST_SECONDS));
            world.send(new byte[1], 1, MPI.BYTE, victim - 1, ENDED);
        }
    }

    private static void goOn(long pid) {
        try {
            Signal.goOn(pid);
        } catch (IllegalStateException e) {
            if (ProcessHandle.of(pid).isPresent()) {
                throw e;
            }
        }
    }

    /**
     * In each round rank 0 stops one of the other ranks at a random moment, revokes the communicator, and lets the rank
     * go on a moment later.
     */
    private void revoke(SplittableRandom random, int rounds) {
        for (int round = 0; round < rounds; round++) {
            Intracomm comm = world.dup();
            int victim = 1 + random.nextInt(pids.length - 1);
            if (me == 0) {
                for (int first = 1; first < pids.length; first += 2) {
                    world.recv(new byte[1], 1, MPI.BYTE, first, BEGUN);
                }
                LockSupport.parkNanos(random.nextLong(1_000_000));
                Signal.stop(pids[victim]);
                comm.revoke();
                LockSupport.parkNanos(random.nextLong(20_000_000));
                Signal.goOn(pids[victim]);
            } else {
                try {
                    exchange(comm);
                } catch (RevokedException expected) {
                    fill(in, MARK);
                }
            }
            world.barrier();
            if (me != 0) {
                require(in, MARK, "mark");
            }
        }
        System.out.println("rank " + me + ": unchanged after " + rounds + " revocations");
    }

    private static void fill(LongBuffer buffer, long number) {
        for (int i = 0; i < WORDS; i += STRIDE) {
            buffer.put(i, number);
        }
    }

    private void require(LongBuffer buffer, long number, String what) throws MPIException {
        for (int i = 0; i < WORDS; i += STRIDE) {
            if (buffer.get(i) != number) {
                throw new IllegalStateException("rank " + me + ": word " + i + " is " + buffer.get(i) + ", not that of "
                        + what + " " + number + ", after " + messages + " messages");
            }
        }
    }
}
