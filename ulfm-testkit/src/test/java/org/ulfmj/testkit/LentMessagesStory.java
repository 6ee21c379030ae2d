package org.ulfmj.testkit;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * A program that sends from lent memory by send, iSend and isSend, and overwrites it once the send has ended, with
 * success or with an error. Also, once a receive has failed, the program writes to the receive's buffer and later
 * requires that this content is unchanged. After a failure or a revocation the survivors shrink and begin anew. Public,
 * since the worlds of mutants call it.
 */
public final class LentMessagesStory {
    private static final int OPERATIONS = 10;
    private static final int MOST_AT_ONCE = 3;
    private static final int LEAST_LONGS = 4_096;
    private static final int MOST_EAGER_LONGS = 5_000;
    /** The least number of longs of a message above the eager limit, whose send waits for the receive. */
    private static final int LEAST_WAITING_LONGS = 8_193;

    private static final int MOST_LONGS = 9_000;
    /** What no message holds. */
    private static final long SPOILED = -1;

    private final long seed;

    private LentMessagesStory(long seed) {
        this.seed = seed;
    }

    /**
     * Runs this program under the seeds from {@code first} to {@code last}, and stops soon after ten have failed.
     * Returns what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> new LentMessagesStory(seed)::main);
    }

    private void main() throws Exception {
        MPI.Init(new String[0]);
        Sender sender = new Sender(seed);
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> sender.operations(phase[0]++, comm));
        sender.requireUntouched();
        MPI.Finalize();
    }

    /** A message that this rank receives: its request, its buffer and the content that it must have. */
    private record Expected(Request request, LongBuffer in, int count, long content) {}

    /** A send that is under way, and its buffer. */
    private record Lent(Request request, LongBuffer out) {}

    /** One rank. */
    private static final class Sender {
        private final long seed;
        private final LongBuffer[] out = new LongBuffer[MOST_AT_ONCE];
        private final List<LongBuffer> spoiled = new ArrayList<>();
        private final List<Lent> sends = new ArrayList<>();
        private final List<Expected> receives = new ArrayList<>();

        Sender(long seed) {
            this.seed = seed;
            for (int i = 0; i < out.length; i++) {
                out[i] = LentBuffers.longs(MOST_LONGS, seed);
            }
        }

        void operations(int phase, Intracomm comm) throws MPIException {
            requireUntouched();
            SplittableRandom random = new SplittableRandom(seed * 31 + phase);
            int revoker = phase == 0 && random.nextInt(3) == 0 ? random.nextInt(comm.getSize()) : -1;
            int revokedAt = random.nextInt(OPERATIONS);
            try {
                for (int number = 0; number < OPERATIONS && comm.getSize() > 1; number++) {
                    boolean isRevoker = comm.getRank() == revoker && number == revokedAt;
                    exchange(comm, phase * OPERATIONS + number, isRevoker, random);
                }
            } catch (MPIException failure) {
                comm.revoke();
                abandon();
                throw failure;
            }
        }

        /** Sends up to {@code MOST_AT_ONCE} messages to one other rank, and receives as many from one other rank. */
        private void exchange(Intracomm comm, int number, boolean isRevoker, SplittableRandom random)
                throws MPIException {
            int size = comm.getSize();
            int shift = random.nextInt(1, size);
            int to = (comm.getRank() + shift) % size;
            int from = (comm.getRank() + size - shift) % size;
            int messages = random.nextInt(1, MOST_AT_ONCE + 1);
            int kind = random.nextInt(4);
            int[] counts = new int[messages];
            for (int i = 0; i < messages; i++) {
                boolean mayWait = kind != 1 && random.nextInt(3) == 0;
                counts[i] = mayWait
                        ? random.nextInt(LEAST_WAITING_LONGS, MOST_LONGS)
                        : random.nextInt(LEAST_LONGS, MOST_EAGER_LONGS);
            }
            int idleCalls = random.nextInt(12);
            if (kind == 0) {
                expect(comm, from, counts, number);
            }
            for (int i = 0; i < messages; i++) {
                fill(out[i], counts[i], content(comm.getRank(), number, i));
                if (kind == 1) {
                    try {
                        comm.send(out[i], counts[i], MPI.LONG, to, number);
                    } finally {
                        spoil(out[i]);
                    }
                } else {
                    Request request = kind == 2
                            ? comm.isSend(out[i], counts[i], MPI.LONG, to, number)
                            : comm.iSend(out[i], counts[i], MPI.LONG, to, number);
                    sends.add(new Lent(request, out[i]));
                }
            }
            for (int call = 0; kind == 3 && call < idleCalls; call++) {
                comm.iProbe(from, number + 1);
            }
            if (kind != 0) {
                expect(comm, from, counts, number);
            }
            if (isRevoker) {
                comm.revoke();
            }
            complete(random.nextBoolean());
        }

        private void expect(Intracomm comm, int from, int[] counts, int number) throws MPIException {
            for (int i = 0; i < counts.length; i++) {
                LongBuffer in = LentBuffers.longs(counts[i], seed);
                Request request = comm.iRecv(in, counts[i], MPI.LONG, from, number);
                receives.add(new Expected(request, in, counts[i], content(from, number, i)));
            }
        }

        private void complete(boolean sendsFirst) throws MPIException {
            if (sendsFirst) {
                completeSends();
            }
            while (!receives.isEmpty()) {
                Expected next = receives.get(0);
                next.request.waitFor();
                receives.remove(0);
                require(next);
            }
            completeSends();
        }

        private void completeSends() throws MPIException {
            while (!sends.isEmpty()) {
                Lent next = sends.get(0);
                next.request.waitFor();
                sends.remove(0);
                spoil(next.out);
            }
        }

        /**
         * Waits for all requests after the communicator was revoked; each may end with success or with an error.
         * Afterwards the library may not write to their buffers any more.
         */
        private void abandon() {
            for (Lent send : sends) {
                endsWell(send.request);
                spoil(send.out);
            }
            for (Expected receive : receives) {
                if (endsWell(receive.request)) {
                    require(receive);
                } else {
                    spoil(receive.in);
                    spoiled.add(receive.in);
                }
            }
            sends.clear();
            receives.clear();
        }

        private static boolean endsWell(Request request) {
            if (request.isNull()) {
                return false; // its wait was the one that failed
            }
            try {
                request.waitFor();
                return true;
            } catch (MPIException failed) {
                return false;
            }
        }

        /**
         * Requires that the buffers of receives that failed still hold the content that the program wrote to them
         * afterwards.
         */
        void requireUntouched() {
            for (LongBuffer each : spoiled) {
                for (int at = 0; at < each.capacity(); at++) {
                    if (each.get(at) != SPOILED) {
                        throw new AssertionError("a receive that had failed wrote at " + at + " of " + each.capacity());
                    }
                }
            }
        }

        private static void spoil(LongBuffer data) {
            for (int at = 0; at < data.capacity(); at++) {
                data.put(at, SPOILED);
            }
        }

        private static void fill(LongBuffer data, int count, long content) {
            for (int at = 0; at < count; at++) {
                data.put(at, content + at);
            }
        }

        private static long content(int rank, int number, int message) {
            return (((long) number * 64 + rank) * MOST_AT_ONCE + message + 1) << 20;
        }

        private static void require(Expected message) {
            for (int at = 0; at < message.count; at++) {
                if (message.in.get(at) != message.content + at) {
                    throw new AssertionError("a message of " + message.count + " has " + message.in.get(at) + " at "
                            + at + ", right is " + (message.content + at));
                }
            }
        }
    }
}
