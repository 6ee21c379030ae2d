package org.ulfmj.testkit.invariant;

import java.nio.IntBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Status;

/**
 * A message that contains the slot and the rank of its sender and its number in its stream; only the length of the rest
 * matters.
 */
final class Message {
    /** Slot, rank, number. */
    static final int LEAST = 3;

    private Message() {}

    static IntBuffer of(Intracomm comm, int number, int length) {
        IntBuffer message = MPI.newIntBuffer(Math.max(LEAST, length));
        message.put(0, MPI.COMM_WORLD.getRank()).put(1, comm.getRank()).put(2, number);
        for (int i = LEAST; i < message.capacity(); i++) {
            message.put(i, number + i);
        }
        return message;
    }

    /** Returns the message in a buffer, as a receive from {@code wanted}, a rank or ANY_SOURCE, has got it. */
    static Received received(IntBuffer message, long stream, int place, int wanted, Status status) {
        return new Received(
                message.get(0),
                message.get(1),
                stream,
                message.get(2),
                place,
                status.getTag(),
                status.getCount(MPI.INT),
                wanted,
                status);
    }
}
