package org.ulfmj.launch;

import static org.ulfmj.launch.Requirement.require;

import java.util.regex.Pattern;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;

/**
 * An MPI program for a common mistake in recovery: ranks that should make the same call make different calls, perhaps
 * while a rank dies. Each live rank must get an error that says what it called where, and what the others called;
 * afterwards all live ranks can go on. Each letter of the first argument says what the rank at this position calls:
 * a(gree), f (agreeFailed), s(hrink), F(inalize), i(Agree), S for iShrink, or x for a rank that dies instead.
 */
public final class MixedCalls {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private MixedCalls() {}

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = WORLD.getRank();
        play(arguments[0], rank, () -> Runtime.getRuntime().halt(1));
        MPI.Finalize();
    }

    /** Between Init and Finalize. */
    static void play(String calls, int rank, Runnable death) {
        if (calls.charAt(rank) == 'x') {
            death.run();
        }
        try {
            call(calls.charAt(rank));
        } catch (MPIException told) {
            require(told.getErrorClass() == MPI.ERR_ARG, "another error: " + told);
            check(calls, rank, told.getMessage());
            require(!MPI.isFinalized(), "finalized");
            require((agree(6 | rank) & 6) == 6, "the next agreement went wrong");
            System.out.println(rank + " is told: " + told.getMessage());
            return;
        }
        throw new AssertionError("nobody told rank " + rank + " of the mistake");
    }

    /**
     * Agrees on a flag, and repeats the call as long as it raises an error because of a failure that is not
     * acknowledged. The call raises the error at all ranks or at none.
     */
    private static int agree(int flag) {
        while (true) {
            WORLD.ackFailed();
            try {
                return WORLD.agree(flag);
            } catch (ProcFailedException another) {
                require(WORLD.getFailed().getSize() > 0, "raised without a failure");
            }
        }
    }

    private static void call(char which) {
        switch (which) {
            case 'a' -> WORLD.agree(1);
            case 'f' -> WORLD.agreeFailed();
            case 's' -> WORLD.shrink();
            case 'F' -> MPI.Finalize();
            case 'i' -> WORLD.iAgree(MPI.newIntBuffer(1)).waitFor();
            case 'S' -> waitFor(WORLD.iShrink());
            default -> throw new IllegalArgumentException("no call " + which);
        }
    }

    /** Waits for the call that made a communicator. An error message must name that call, not this wait. */
    private static void waitFor(Intracomm made) {
        made.getRequest().waitFor();
    }

    private static void check(String calls, int rank, String message) {
        char mine = calls.charAt(rank);
        require(
                message.contains(
                        "this rank called " + name(mine) + " at org.ulfmj.launch.MixedCalls.call(MixedCalls.java:"),
                "does not name the call site: " + message);
        for (char other : "afsFiS".toCharArray()) {
            int lowest = calls.indexOf(other);
            String told = "rank " + (lowest < 0 ? "\\d+" : lowest) + " called " + name(other) + "\\b";
            boolean isTold = Pattern.compile(told).matcher(message).find();
            if (other != mine) {
                require(isTold == (lowest >= 0), "wrong about " + name(other) + ": " + message);
            }
        }
    }

    private static String name(char which) {
        return switch (which) {
            case 'a' -> "agree";
            case 'f' -> "agreeFailed";
            case 's' -> "shrink";
            case 'i' -> "iAgree";
            case 'S' -> "iShrink";
            default -> "Finalize";
        };
    }
}
