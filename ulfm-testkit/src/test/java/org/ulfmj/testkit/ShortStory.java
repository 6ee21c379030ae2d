package org.ulfmj.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.SplittableRandom;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;
import mpi.Status;
import org.ulfmj.runtime.Unreceived;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * A program in which each of two ranks in turn sends numbered messages of at most 256 bytes to the other by blocking
 * and non-blocking calls. The other receives them by blocking and non-blocking calls, from a named source and from any,
 * and probes in between. Each message must be the next one of its tag and have its content, and the receiver may hold
 * no more of them than credit allows. After a revocation a send and a receive must fail, and after a death a send.
 * Public, since the worlds of mutants call it.
 */
public final class ShortStory {
    private static final int[] EAGER_BYTES = {1024, 64};
    private static final int CREDIT_BYTES = 16 * 1024;
    private static final int MOST_ANNOUNCED = 4096;
    private static final int MOST_BYTES = 256;
    private static final int MESSAGES = 400;
    private static final int TAGS = 2;
    private static final int MARK = 7;
    private static final int LOOKS = 40;
    private static final int NUMBER_BYTES = Integer.BYTES;

    /** Whether the send of rank 0 in {@link #requireLongOnesWait} has returned. */
    private static volatile boolean hasSent;

    private final SplittableRandom random;
    private final int eagerBytes;
    private final int messages;
    private final ByteBuffer in = ByteBuffer.allocateDirect(MOST_BYTES);
    private final int[] next = new int[TAGS];

    private ShortStory(long seed, int rank) {
        this.random = new SplittableRandom(seed * 2 + rank);
        this.eagerBytes = eagerBytes(seed);
        // For every tenth seed, more messages are sent than a sender may announce (4,096).
        this.messages = seed % 10 == 0 ? MOST_ANNOUNCED + 2 * MESSAGES : MESSAGES;
    }

    /**
     * Runs this program under the seeds from {@code first} to {@code last} until one fails. Returns what went wrong
     * with the first seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, String faults) {
        for (long seed = first; seed <= last; seed++) {
            int eager = eagerBytes(seed);
            SimWorld world = SimWorld.of(2).settings(settings -> settings.withEager(eager, CREDIT_BYTES));
            if (seed % 2 == 0) {
                world.lettingInputLie();
            }
            String wrong = Stories.run(world, seed, seed, faults, each -> () -> main(each));
            if (!wrong.isEmpty()) {
                return wrong;
            }
        }
        return "";
    }

    private static int eagerBytes(long seed) {
        return EAGER_BYTES[(int) (seed / 2 % EAGER_BYTES.length)];
    }

    private static void main(long seed) throws Exception {
        MPI.Init(new String[0]);
        Intracomm world = MPI.COMM_WORLD;
        ShortStory story = new ShortStory(seed, world.getRank());
        try {
            for (int sender = 0; sender < 2; sender++) {
                if (world.getRank() == sender) {
                    story.send(world, 1 - sender);
                } else {
                    story.receive(world, sender);
                }
            }
            story.requireAllGivenBack(world);
            story.requireLongOnesWait(world);
            story.revoke(world);
        } catch (ProcFailedException dead) {
            story.requireRefused(world);
        }
        MPI.Finalize();
    }

    // The sender.

    private void send(Intracomm comm, int to) throws MPIException {
        int[] number = new int[TAGS];
        Queue<Request> open = new ArrayDeque<>();
        for (int i = 0; i < messages; i++) {
            int tag = random.nextInt(TAGS);
            boolean isOfTheFlood = i < messages - MESSAGES;
            ByteBuffer message = message(number[tag]++, isOfTheFlood || random.nextInt(10) == 0 ? MOST_BYTES : 20);
            if (isOfTheFlood || random.nextInt(3) == 0) {
                open.add(comm.iSend(message, message.capacity(), MPI.BYTE, to, tag));
            } else if (random.nextInt(20) == 0) {
                comm.sSend(message, message.capacity(), MPI.BYTE, to, tag);
            } else {
                comm.send(message, message.capacity(), MPI.BYTE, to, tag);
            }
        }
        while (!open.isEmpty()) {
            open.remove().waitFor();
        }
        comm.recv(new byte[1], 1, MPI.BYTE, to, MARK);
    }

    private ByteBuffer message(int number, int mostBytes) {
        int bytes = random.nextInt(NUMBER_BYTES, mostBytes + 1);
        ByteBuffer message = ByteBuffer.allocateDirect(bytes);
        for (int i = NUMBER_BYTES; i < bytes; i++) {
            message.put(i, (byte) (number + i));
        }
        return message.putInt(0, number);
    }

    // The receiver.

    private void receive(Intracomm comm, int from) throws MPIException {
        Arrays.fill(next, 0);
        int taken = 0;
        while (taken < messages) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    for (int looks = random.nextInt(40); looks > 0; looks--) {
                        comm.iProbe(from, MARK);
                    }
                    Unreceived.requireBounded(CREDIT_BYTES, messages);
                }
                case 1 -> require(comm.probe(from, MPI.ANY_TAG), -1);
                case 2 -> taken += receiveBehindAnother(comm, from, messages - taken);
                case 3 -> {
                    require(comm.recv(in, MOST_BYTES, MPI.BYTE, MPI.ANY_SOURCE, MPI.ANY_TAG), in);
                    taken++;
                }
                default -> {
                    require(comm.recv(in, MOST_BYTES, MPI.BYTE, from, MPI.ANY_TAG), in);
                    taken++;
                }
            }
        }
        comm.send(new byte[1], 1, MPI.BYTE, from, MARK);
    }

    /**
     * Posts a non-blocking receive and then, unless only one message is left, makes a blocking one; the receive that
     * was posted first must take the first message. Returns how many messages were taken: 1 or 2.
     */
    private int receiveBehindAnother(Intracomm comm, int from, int left) throws MPIException {
        ByteBuffer early = ByteBuffer.allocateDirect(MOST_BYTES);
        int source = random.nextBoolean() ? from : MPI.ANY_SOURCE;
        Request first = comm.iRecv(early, MOST_BYTES, MPI.BYTE, source, MPI.ANY_TAG);
        if (left == 1) {
            require(first.waitStatus(), early);
            return 1;
        }
        Status second = comm.recv(in, MOST_BYTES, MPI.BYTE, from, MPI.ANY_TAG);
        require(first.waitStatus(), early);
        require(second, in);
        return 2;
    }

    private void require(Status status, ByteBuffer message) {
        int number = message.getInt(0);
        require(status, number);
        int bytes = status.getCount(MPI.BYTE);
        for (int i = NUMBER_BYTES; i < bytes; i++) {
            if (message.get(i) != (byte) (number + i)) {
                throw new AssertionError("message " + number + " has a wrong byte at " + i);
            }
        }
        next[status.getTag()]++;
    }

    private void require(Status status, int number) {
        int due = next[status.getTag()];
        if (number >= 0 && number != due) {
            throw new AssertionError(
                    "message " + number + " of tag " + status.getTag() + " came where " + due + " was due");
        }
    }

    // After the end.

    /**
     * Requires that this rank has received or dropped all bytes, as credit counts them, that the other rank had sent
     * before it told their number.
     */
    private void requireAllGivenBack(Intracomm comm) throws MPIException {
        int peer = 1 - comm.getRank();
        long[] sent = {Unreceived.sentBytes(peer)};
        long[] arrived = new long[1];
        comm.sendRecv(sent, 1, MPI.LONG, peer, MARK, arrived, 1, MPI.LONG, peer, MARK);
        long leftBytes = arrived[0] - Unreceived.takenBytes(peer);
        if (leftBytes > 0 || leftBytes < -512) {
            throw new AssertionError("of the bytes that credit counts " + leftBytes + " were not given back");
        }
    }

    /** Requires that the send of a message longer than the eager limit does not return before its receive is posted. */
    private void requireLongOnesWait(Intracomm comm) throws MPIException {
        byte[] message = new byte[MOST_BYTES];
        if (comm.getRank() == 0) {
            hasSent = false;
        }
        comm.barrier();
        if (comm.getRank() == 0) {
            comm.send(message, MOST_BYTES, MPI.BYTE, 1, MARK);
            hasSent = true;
            return;
        }
        for (int look = 0; look < LOOKS; look++) {
            comm.iProbe(0, MARK);
        }
        if (hasSent && eagerBytes < MOST_BYTES) {
            throw new AssertionError("a message above the eager limit was sent before its receive");
        }
        comm.recv(message, MOST_BYTES, MPI.BYTE, 0, MARK);
    }

    private void revoke(Intracomm comm) throws MPIException {
        Intracomm other = comm.dup();
        comm.barrier();
        other.revoke();
        byte[] one = new byte[1];
        int peer = 1 - comm.getRank();
        if (isTaken(() -> other.send(one, 1, MPI.BYTE, peer, 0))
                || isTaken(() -> other.recv(one, 1, MPI.BYTE, peer, 0))) {
            throw new AssertionError("a message went over a communicator that this rank has revoked");
        }
        comm.barrier();
    }

    private void requireRefused(Intracomm comm) throws MPIException {
        int peer = 1 - comm.getRank();
        if (isTaken(() -> comm.send(new byte[1], 1, MPI.BYTE, peer, 0))) {
            throw new AssertionError("a message was sent to a rank that is known to have failed");
        }
    }

    private interface Call {
        void make() throws MPIException;
    }

    private static boolean isTaken(Call call) throws MPIException {
        try {
            call.make();
            return true;
        } catch (RevokedException | ProcFailedException refused) {
            return false;
        }
    }
}
