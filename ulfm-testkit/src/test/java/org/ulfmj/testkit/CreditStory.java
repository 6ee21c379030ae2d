package org.ulfmj.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.RevokedException;
import mpi.Status;
import org.ulfmj.runtime.Unreceived;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * A program that starts more short messages than may lie at their receiver without a receive, and then receives them in
 * one of several ways, or revokes; some messages in between are long or synchronous. It checks that no more messages
 * than allowed lie at the receiver, that each receive gets the message that is due, that in runs without faults all
 * credit is given back in the end, and that collective operations get through meanwhile. After a failure the survivors
 * shrink and begin anew. Public, since the worlds of mutants call it.
 */
public final class CreditStory {
    private static final int EAGER_BYTES = 1024;
    private static final int CREDIT_BYTES = 16 * 1024;
    private static final int MOST_ANNOUNCED = 4096;
    private static final int MOST_AT_ONCE = CREDIT_BYTES / 512;
    private static final int LONG_BYTES = EAGER_BYTES + 1;
    private static final int TAGS = 5;
    private static final int MARK = 1_000_000;

    /** How a rank receives the messages, of which more are started than may lie at it; in the last way it does not. */
    private enum Way {
        IN_ORDER,
        WHILE_THEY_ARE_SENT,
        REVERSED,
        ANY_SOURCE_BY_TAG,
        AFTER_A_PROBE_OF_THE_LAST,
        THE_LAST_BEFORE_ALL,
        NEVER_FOR_ALL_IS_REVOKED;

        int tag(int number) {
            return this == ANY_SOURCE_BY_TAG ? number % TAGS : number;
        }
    }

    private final long seed;
    private final boolean isPeaceful;
    private final ByteBuffer out = ByteBuffer.allocateDirect(256 + LONG_BYTES);

    private CreditStory(long seed, boolean isPeaceful) {
        this.seed = seed;
        this.isPeaceful = isPeaceful;
        for (int i = 0; i < out.capacity(); i++) {
            out.put(i, (byte) i);
        }
    }

    /**
     * Runs the seeds {@code first} to {@code last}, and stops soon after ten have failed. Returns what was wrong with
     * the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        SimWorld world = SimWorld.of(ranks).settings(settings -> settings.withEager(EAGER_BYTES, CREDIT_BYTES));
        return Stories.run(world, first, last, faults, seed -> new CreditStory(seed, faults.isEmpty())::main);
    }

    private void main() throws Exception {
        MPI.Init(new String[0]);
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> exchange(comm, new SplittableRandom(seed * 31 + phase[0]++)));
        MPI.Finalize();
    }

    /** Sends messages to one rank and receives messages from one: two ranks, the same rank, or this rank itself. */
    private void exchange(Intracomm comm, SplittableRandom random) throws MPIException {
        // The last way makes a communicator, which may fail at some ranks where ranks die: it is only for runs without
        // faults.
        Way way = Way.values()[random.nextInt(Way.values().length - (isPeaceful ? 0 : 1))];
        int size = comm.getSize();
        int shift = random.nextInt(size);
        int to = (comm.getRank() + shift) % size;
        int from = (comm.getRank() + size - shift) % size;
        int count = MOST_AT_ONCE + MOST_ANNOUNCED + random.nextInt(1, 400);
        boolean isRevoked = way == Way.NEVER_FOR_ALL_IS_REVOKED;
        try (Traffic traffic = new Traffic(isRevoked ? comm.dup() : comm, way, to, from, count, random.split())) {
            traffic.exchange();
        }
        if (isPeaceful) {
            requireAllGivenBack(comm, to, from);
        }
    }

    /**
     * Requires that this rank has received or dropped all bytes, as credit counts them, that {@code from} had sent it
     * before. A last message, with tag MARK, tells how many these are.
     */
    private static void requireAllGivenBack(Intracomm comm, int to, int from) throws MPIException {
        long[] sent = {Unreceived.sentBytes(to)};
        long[] arrived = new long[1];
        comm.sendRecv(sent, 1, MPI.LONG, to, MARK, arrived, 1, MPI.LONG, from, MARK);
        long leftBytes = arrived[0] - Unreceived.takenBytes(from);
        if (leftBytes > 0 || leftBytes < -512) {
            throw new AssertionError("of the bytes that credit counts " + leftBytes + " were not given back");
        }
    }

    /** The messages of one exchange that this rank sends to one rank and receives from one. */
    private final class Traffic implements AutoCloseable {
        private final Intracomm comm;
        private final Way way;
        private final int to;
        private final int from;
        private final int count;
        private final int longOnes;
        private final int synchronousOnes;
        private final List<Request> sends = new ArrayList<>();
        private final ByteBuffer in = ByteBuffer.allocateDirect(LONG_BYTES);

        Traffic(Intracomm comm, Way way, int to, int from, int count, SplittableRandom random) {
            this.comm = comm;
            this.way = way;
            this.to = to;
            this.from = from;
            this.count = count;
            this.longOnes = random.nextInt(10, 100);
            this.synchronousOnes = random.nextInt(10, 100);
        }

        void exchange() throws MPIException {
            Request early = way == Way.THE_LAST_BEFORE_ALL ? startReceive(count - 1) : null;
            start(0, count);
            collect();
            if (early == null) {
                Unreceived.requireBounded(CREDIT_BYTES, MOST_ANNOUNCED);
            }
            switch (way) {
                case IN_ORDER -> receiveInOrder(0, count);
                case WHILE_THEY_ARE_SENT -> receiveWhileMoreAreSent();
                case REVERSED -> receiveReversed();
                case ANY_SOURCE_BY_TAG -> receiveByTag();
                case AFTER_A_PROBE_OF_THE_LAST -> {
                    require(comm.probe(from, way.tag(count - 1)), count - 1);
                    receiveInOrder(0, count);
                }
                case THE_LAST_BEFORE_ALL -> {
                    require(early.waitStatus(), count - 1);
                    receiveInOrder(0, count - 1);
                }
                case NEVER_FOR_ALL_IS_REVOKED -> {
                    meetRevocation();
                    return;
                }
            }
            Request.waitAll(sends.toArray(new Request[0]));
        }

        private void start(int first, int end) throws MPIException {
            for (int i = first; i < end; i++) {
                ByteBuffer bytes = MPI.slice(out, i & 0xff);
                Request send = i % synchronousOnes == 0
                        ? comm.isSend(bytes, length(i), MPI.BYTE, to, way.tag(i))
                        : comm.iSend(bytes, length(i), MPI.BYTE, to, way.tag(i));
                sends.add(send);
            }
        }

        private int length(int number) {
            return number % longOnes == longOnes - 1 ? LONG_BYTES : number % 9;
        }

        /** Makes two collective calls: one with payload and one without. */
        private void collect() throws MPIException {
            long[] sum = new long[20];
            comm.allReduce(new long[20], sum, sum.length, MPI.LONG, MPI.SUM);
            comm.barrier();
        }

        /**
         * Receives messages {@code first} to {@code end} − 1 in the order of sending. In way IN_ORDER it also checks
         * now and then that no more messages lie here than allowed.
         */
        private void receiveInOrder(int first, int end) throws MPIException {
            for (int i = first; i < end; i++) {
                require(comm.recv(in, LONG_BYTES, MPI.BYTE, from, MPI.ANY_TAG), i);
                if (way == Way.IN_ORDER && i % 64 == 0) {
                    Unreceived.requireBounded(CREDIT_BYTES, MOST_ANNOUNCED);
                }
            }
        }

        private void receiveWhileMoreAreSent() throws MPIException {
            for (int i = 0; i < count; i++) {
                start(count + i, count + i + 1);
                receiveInOrder(i, i + 1);
            }
            receiveInOrder(count, 2 * count);
        }

        private void receiveReversed() throws MPIException {
            for (int i = count - 1; i >= 0; i--) {
                require(comm.recv(in, LONG_BYTES, MPI.BYTE, from, way.tag(i)), i);
            }
        }

        private void receiveByTag() throws MPIException {
            for (int tag = TAGS - 1; tag >= 0; tag--) {
                for (int i = tag; i < count; i += TAGS) {
                    require(comm.recv(in, LONG_BYTES, MPI.BYTE, MPI.ANY_SOURCE, tag), i);
                }
            }
        }

        private Request startReceive(int number) throws MPIException {
            return comm.iRecv(ByteBuffer.allocateDirect(LONG_BYTES), LONG_BYTES, MPI.BYTE, from, way.tag(number));
        }

        private void meetRevocation() throws MPIException {
            if (comm.getRank() == 0) {
                comm.revoke();
            }
            try {
                comm.recv(in, 0, MPI.BYTE, from, MARK);
                throw new AssertionError("a receive of what was never sent has ended well");
            } catch (RevokedException revoked) {
                for (Request send : sends) {
                    end(send);
                }
            }
        }

        private void end(Request send) {
            try {
                send.waitFor();
            } catch (RevokedException revoked) {
                // A send whose message has left ends without an error; the revocation ends the other sends.
            }
        }

        private void require(Status status, int number) throws MPIException {
            int length = status.getCount(MPI.BYTE);
            boolean isRight = status.getTag() == way.tag(number) && length == length(number);
            if (!isRight) {
                throw new AssertionError("message " + number + " of " + length(number) + " bytes: one of tag "
                        + status.getTag() + " came, of " + length + " bytes");
            }
        }

        @Override
        public void close() {
            if (way == Way.NEVER_FOR_ALL_IS_REVOKED) {
                comm.free();
            }
        }
    }
}
