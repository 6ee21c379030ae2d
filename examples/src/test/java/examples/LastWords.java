package examples;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;

/**
 * Shows that messages which had arrived whole are received although their sender is dead by then. Rank 2 stops rank 0,
 * so that it can read nothing. Rank 1 sends messages to rank 0 and is killed. Only when rank 2 knows of the death does
 * it let rank 0 go on, which then receives the messages.
 */
public final class LastWords {
    private static final int MESSAGES = 20;
    private static final int FIRST = 100;
    private static final int READY = 1;
    private static final int GO = 2;
    private static final int SENT = 3;
    private static final int DONE = 4;

    private LastWords() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        long[] pids = new long[world.getSize()];
        world.allGather(new long[] {ProcessHandle.current().pid()}, 1, MPI.LONG, pids, 1, MPI.LONG);
        // A first message between ranks 0 and 1 opens the lane or link, before any rank is stopped.
        meet(world, 1, 0);
        switch (world.getRank()) {
            case 0 -> receive(world);
            case 1 -> send(world);
            default -> control(world, pids);
        }
        world.shrink().barrier();
        MPI.Finalize();
    }

    private static void meet(Intracomm world, int from, int to) {
        if (world.getRank() == from) {
            world.sSend(new byte[1], 1, MPI.BYTE, to, READY);
        } else if (world.getRank() == to) {
            world.recv(new byte[1], 1, MPI.BYTE, from, READY);
        }
    }

    private static int lengthOf(int number) {
        return number * 150;
    }

    private static byte byteOf(int number, int position) {
        return (byte) (number * 31 + position);
    }

    private static void receive(Intracomm world) {
        world.send(new byte[1], 1, MPI.BYTE, 2, READY);
        world.recv(new byte[1], 1, MPI.BYTE, 2, GO);
        for (int number = 0; number < MESSAGES; number++) {
            byte[] message = new byte[lengthOf(number)];
            world.recv(message, message.length, MPI.BYTE, 1, FIRST + number);
            for (int i = 0; i < message.length; i++) {
                if (message[i] != byteOf(number, i)) {
                    throw new IllegalStateException("byte " + i + " of message " + number);
                }
            }
        }
        try {
            world.recv(new byte[1], 1, MPI.BYTE, 1, FIRST + MESSAGES);
            throw new IllegalStateException("a message that nobody sent");
        } catch (ProcFailedException expected) {
            System.out.println(MESSAGES + " messages of the dead received, and no more");
        }
        world.send(new byte[1], 1, MPI.BYTE, 2, DONE);
    }

    private static void send(Intracomm world) {
        world.recv(new byte[1], 1, MPI.BYTE, 2, GO);
        for (int number = 0; number < MESSAGES; number++) {
            byte[] message = new byte[lengthOf(number)];
            for (int i = 0; i < message.length; i++) {
                message[i] = byteOf(number, i);
            }
            world.send(message, message.length, MPI.BYTE, 0, FIRST + number);
        }
        world.send(new byte[1], 1, MPI.BYTE, 2, SENT);
        LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
        throw new IllegalStateException("nobody killed rank 1");
    }

    private static void control(Intracomm world, long[] pids) {
        world.recv(new byte[1], 1, MPI.BYTE, 0, READY);
        Signal.stop(pids[0]);
        world.send(new byte[1], 1, MPI.BYTE, 1, GO);
        world.recv(new byte[1], 1, MPI.BYTE, 1, SENT);
        Signal.kill(pids[1]);
        try {
            world.recv(new byte[1], 1, MPI.BYTE, 1, SENT);
            throw new IllegalStateException("a message that nobody sent");
        } catch (ProcFailedException expected) {
            // Rank 2 has marked rank 1 as failed.
        }
        if (!Signal.awaitEnd(pids[1], 60)) {
            throw new IllegalStateException("rank 1 did not die");
        }
        world.send(new byte[1], 1, MPI.BYTE, 0, GO);
        Signal.goOn(pids[0]);
        // Rank 2 waits here in a receive. If it called an agreement, which would list rank 1 as failed, rank 0 would
        // mark rank 1 at once, before it has read rank 1's messages.
        world.recv(new byte[1], 1, MPI.BYTE, 0, DONE);
    }
}
