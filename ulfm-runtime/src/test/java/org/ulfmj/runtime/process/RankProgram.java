package org.ulfmj.runtime.process;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.error.CallError;

/** The program that the tests' processes run: it joins, and then does what its first argument says. */
final class RankProgram {
    private static final long PAUSE_NS = 1_000_000;

    private RankProgram() {}

    public static void main(String[] args) {
        RankBinding binding;
        try {
            binding = new RankBootstrap().join();
        } catch (IllegalStateException failed) {
            System.out.println("failed: " + failed.getMessage());
            System.exit(3);
            return;
        }
        RankBinding.bindProcess(binding);
        RankRuntime rank = binding.runtime();
        System.out.println("joined " + rank.id() + " of " + rank.world().size());
        switch (args[0]) {
            case "finish":
                System.out.println("agreed " + rank.world().recovery().agree(7));
                rank.finish();
                System.out.println("finished");
                break;
            case "grow":
                while (!rank.isLetIn() && rank.waiting() < Integer.parseInt(args[3])) {
                    LockSupport.parkNanos(PAUSE_NS);
                }
                grow(rank, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
                break;
            case "meet":
                while (rank.waiting() == 0) {
                    LockSupport.parkNanos(PAUSE_NS);
                }
                System.out.println("met " + rank.waiting() + " that waits");
                rank.finish();
                break;
            case "survive":
                survive(rank);
                break;
            case "stop":
                System.out.println("agreed " + rank.world().recovery().agree(7));
                rank.enterCall("barrier");
                System.out.println("went on");
                break;
            case "throw":
                startAnotherThread();
                throw new IllegalStateException("thrown by the program");
            case "throwInPieces":
                System.setErr(new PrintStream(new Pieces(), true));
                throw new IllegalStateException("thrown by the program");
            case "abort":
                rank.abort(9);
                break;
            default:
                waitForEver();
        }
    }

    /** Waits, without an MPI call that blocks, for one failure; then shrinks, agrees and finishes. */
    private static void survive(RankRuntime rank) {
        Communicator world = rank.world();
        while (world.recovery().failedRanks().length == 0) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        System.out.println("failed ranks " + Arrays.toString(world.recovery().failedRanks()));
        Communicator rest = world.recovery().shrink();
        System.out.println(
                "shrunk to " + rest.size() + ", agreed " + rest.recovery().agree(5));
        rank.finish();
        System.out.println("finished");
    }

    /**
     * Calls grow until the world has at least {@code up} members that all meet. Then goes on, with a grow after each
     * failure, until the world has no more than {@code down} members.
     */
    private static void grow(RankRuntime rank, int up, int down) {
        while (rank.world().size() < up || !haveMet(rank.world())) {
            LockSupport.parkNanos(PAUSE_NS);
            rank.world().recovery().grow();
        }
        System.out.println("grown to " + rank.world().size() + " as " + rank.id() + ", let in " + rank.isLetIn());
        while (rank.world().size() > down) {
            LockSupport.parkNanos(PAUSE_NS);
            if (!haveMet(rank.world())) {
                rank.world().recovery().grow();
            }
        }
        System.out.println("finishes with " + rank.waiting() + " waiting");
        rank.finish();
    }

    /** Whether a barrier and then an agreement of all members succeed; if the barrier fails, revokes the world. */
    private static boolean haveMet(Communicator world) {
        int met = 1;
        try {
            world.collectives().barrier();
        } catch (CallError failed) {
            met = 0;
            world.recovery().revoke();
        }
        try {
            return world.recovery().agree(met) == 1;
        } catch (CallError failed) {
            return false;
        }
    }

    /** A stderr that prints on stdout how many lines each written piece has, and the first two of them. */
    private static final class Pieces extends OutputStream {
        @Override
        public void write(int octet) {
            System.out.println("a piece of 1 line");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            String piece = new String(bytes, offset, length, StandardCharsets.UTF_8);
            System.out.println("a piece of " + piece.lines().count() + " lines: "
                    + piece.lines().limit(2).toList());
        }
    }

    private static void startAnotherThread() {
        new Thread(RankProgram::waitForEver, "another").start();
    }

    private static void waitForEver() {
        while (true) {
            LockSupport.park();
        }
    }
}
