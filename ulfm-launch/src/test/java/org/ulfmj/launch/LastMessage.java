package org.ulfmj.launch;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import org.ulfmj.runtime.Sabotage;

/**
 * An MPI program of two ranks in which rank 1 kills itself by SIGKILL, either while it sends a short message, before
 * the record is committed, or right after the send; the argument says which. Rank 0 waits for that message and prints
 * what it gets.
 */
final class LastMessage {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int BYTES = 40;
    private static final int TAG = 5;
    private static final int OUT_TAG = 6;
    private static final int ROUNDS = 200;
    private static final byte UNTOUCHED = -1;

    private LastMessage() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        for (int round = 0; round < ROUNDS; round++) {
            // Opens the lanes of both directions.
            WORLD.sendRecv(
                    message(),
                    BYTES,
                    MPI.BYTE,
                    1 - WORLD.getRank(),
                    0,
                    new byte[BYTES],
                    BYTES,
                    MPI.BYTE,
                    1 - WORLD.getRank(),
                    0);
        }
        byte[] nothing = {};
        if (WORLD.getRank() == 1) {
            // Rank 0 sends this message after it has left the last exchange; otherwise it could find the death in the
            // exchange already.
            WORLD.recv(nothing, 0, MPI.BYTE, 0, OUT_TAG);
            die(arguments[0]);
        }
        WORLD.send(nothing, 0, MPI.BYTE, 1, OUT_TAG);
        byte[] received = new byte[BYTES];
        Arrays.fill(received, UNTOUCHED);
        String end = receive(received);
        String value = Arrays.equals(received, message()) ? "whole" : isUntouched(received) ? "no" : "torn";
        System.out.println(end + " and " + value + " value");
        MPI.Finalize();
    }

    private static byte[] message() {
        byte[] message = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            message[i] = (byte) (i + 1);
        }
        return message;
    }

    private static void die(String when) {
        long pid = ProcessHandle.current().pid();
        if (when.equals("beforeCommit")) {
            Sabotage.sendInterrupted(message(), 0, TAG, () -> Ending.kill("KILL", pid));
        } else {
            WORLD.send(message(), BYTES, MPI.BYTE, 0, TAG);
            Ending.kill("KILL", pid);
        }
    }

    private static String receive(byte[] into) {
        try {
            WORLD.recv(into, BYTES, MPI.BYTE, 1, TAG);
            return "SUCCESS";
        } catch (ProcFailedException failed) {
            return "PROC_FAILED";
        }
    }

    private static boolean isUntouched(byte[] bytes) {
        for (byte each : bytes) {
            if (each != UNTOUCHED) {
                return false;
            }
        }
        return true;
    }
}
