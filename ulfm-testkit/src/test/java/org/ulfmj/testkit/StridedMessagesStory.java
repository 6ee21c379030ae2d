package org.ulfmj.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * A program that sends and gathers items of datatypes with gaps. However a receive ends, the gaps in its buffer stay as
 * they were. A byte inside a block must be that of the message if the receive succeeds, and that of the message or the
 * old one if it fails. After a receive has failed nothing may be written to its buffer. When a rank fails the survivors
 * shrink and begin anew.
 */
final class StridedMessagesStory {
    private static final int ROUNDS = 6;
    private static final int MOST_BLOCKS = 12_000;
    private static final byte OLD = -1;
    private static final byte GAP = -2;

    private final long seed;

    private StridedMessagesStory(long seed) {
        this.seed = seed;
    }

    /**
     * Runs this program for the seeds from {@code first} to {@code last}, and stops soon after ten have failed. Returns
     * what went wrong with the lowest seed that failed, or an empty text.
     */
    static String run(long first, long last, int ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> new StridedMessagesStory(seed)::main);
    }

    private void main() {
        MPI.Init(new String[0]);
        List<Left> left = new ArrayList<>();
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> rounds(phase[0]++, comm, left));
        left.forEach(Left::requireUnchanged);
        MPI.Finalize();
    }

    /** The buffer of a receive that has ended or an allgather that failed, with its content at that time. */
    private record Left(ByteBuffer buffer, byte[] content) {
        static Left of(ByteBuffer buffer) {
            byte[] content = new byte[buffer.capacity()];
            buffer.get(0, content);
            return new Left(buffer, content);
        }

        void requireUnchanged() {
            if (!buffer.clear().equals(ByteBuffer.wrap(content))) {
                throw new AssertionError("something was written after the receive had failed");
            }
        }
    }

    private void rounds(int phase, Intracomm comm, List<Left> left) {
        SplittableRandom random = new SplittableRandom(seed * 31 + phase); // equal at all
        int rank = comm.getRank();
        int size = comm.getSize();
        for (int round = 0; round < ROUNDS; round++) {
            int blocks = 1 + random.nextInt(random.nextBoolean() ? MOST_BLOCKS : 50);
            int stride = 9 + random.nextInt(8);
            Datatype type = Datatype.createHVector(blocks, 1, stride, MPI.LONG);
            type.commit();
            boolean gathers = random.nextInt(3) == 0 && blocks < 2_000;
            if (gathers) {
                gather(comm, type, blocks, stride, round, left);
            } else {
                int from = (rank + size - 1) % size;
                ByteBuffer in = blank(blocks, stride, 1, random.nextBoolean());
                ByteBuffer out = filled(blocks, stride, content(round, rank));
                Request receive = comm.iRecv(in, 1, type, from, 1);
                int to = (rank + 1) % size;
                Request send = random.nextBoolean() ? comm.iSend(out, 1, type, to, 1) : null;
                try {
                    if (send == null) {
                        comm.send(out, 1, type, to, 1);
                    }
                    type.free();
                    receive.waitFor();
                } catch (MPIException failure) {
                    boolean isOpen = send == null && !receive.isNull() && !isOver(receive);
                    require(in, blocks, stride, 0, content(round, from), true);
                    if (!isOpen) {
                        left.add(Left.of(in));
                    }
                    throw failure;
                }
                require(in, blocks, stride, 0, content(round, from), false);
                if (send != null) {
                    send.waitFor();
                }
            }
        }
    }

    private static void gather(Intracomm comm, Datatype type, int blocks, int stride, int round, List<Left> left) {
        int size = comm.getSize();
        Datatype spaced = Datatype.createResized(type, 0, blocks * stride);
        spaced.commit();
        ByteBuffer all = blank(blocks, stride, size, false);
        boolean isOver = false;
        try {
            comm.allGather(filled(blocks, stride, content(round, comm.getRank())), 1, spaced, all, 1, spaced);
            isOver = true;
        } finally {
            for (int from = 0; from < size; from++) {
                require(all, blocks, stride, from * blocks * stride, content(round, from), !isOver);
            }
            if (!isOver) {
                left.add(Left.of(all));
            }
        }
    }

    /** Tests a request; returns whether it has ended, with success or with an error. */
    private static boolean isOver(Request request) {
        try {
            return request.test();
        } catch (MPIException failed) {
            return request.isNull();
        }
    }

    private static byte content(int round, int rank) {
        return (byte) (1 + 10 * round + rank);
    }

    private static ByteBuffer blank(int blocks, int stride, int times, boolean isDirect) {
        int bytes = blocks * stride * times;
        ByteBuffer buffer = isDirect ? MPI.newByteBuffer(bytes) : ByteBuffer.allocate(bytes);
        for (int at = 0; at < bytes; at++) {
            buffer.put(at, at % stride < Long.BYTES ? OLD : GAP);
        }
        return buffer;
    }

    private static ByteBuffer filled(int blocks, int stride, byte content) {
        ByteBuffer buffer = MPI.newByteBuffer(blocks * stride);
        for (int at = 0; at < blocks * stride; at++) {
            buffer.put(at, content);
        }
        return buffer;
    }

    private static void require(ByteBuffer buffer, int blocks, int stride, int from, byte content, boolean orOld) {
        for (int at = from; at < from + blocks * stride; at++) {
            byte found = buffer.get(at);
            boolean isRight =
                    (at - from) % stride >= Long.BYTES ? found == GAP : found == content || orOld && found == OLD;
            if (!isRight) {
                throw new AssertionError("byte " + at + " is " + found + " with " + blocks + " blocks, stride " + stride
                        + ", content " + content);
            }
        }
    }
}
