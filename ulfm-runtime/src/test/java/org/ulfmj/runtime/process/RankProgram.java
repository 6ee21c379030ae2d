package org.ulfmj.runtime.process;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;

/** What the processes of the tests do: join, then what the first word says. */
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
                System.out.println("agreed " + rank.world().agree(7));
                rank.finish();
                System.out.println("finished");
                break;
            case "survive":
                survive(rank);
                break;
            case "stop":
                System.out.println("agreed " + rank.world().agree(7));
                rank.enterCall("barrier");
                System.out.println("went on");
                break;
            case "throw":
                startAnotherThread();
                throw new IllegalStateException("thrown by the program");
            case "abort":
                rank.abort(9);
                break;
            default:
                waitForEver();
        }
    }

    /** Waits without a call for one failure, goes on without the dead, and finishes. */
    private static void survive(RankRuntime rank) {
        Communicator world = rank.world();
        while (world.failedRanks().length == 0) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        System.out.println("failed ranks " + Arrays.toString(world.failedRanks()));
        Communicator rest = world.shrink();
        System.out.println("shrunk to " + rest.size() + ", agreed " + rest.agree(5));
        rank.finish();
        System.out.println("finished");
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
