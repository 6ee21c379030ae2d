package org.ulfmj.testkit.invariant;

import static org.ulfmj.testkit.invariant.Call.Kind.NAMED;

import java.nio.IntBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/**
 * Sends a message to the right neighbour, waits by a probe for the one of the left neighbour, and receives that message
 * only later, when its sender may be dead.
 */
final class Shown {
    private static final int LENGTH = 5;
    private static final int LOOKS = 40;

    private final Watch watch;
    private final Intracomm comm;
    private final int step;

    Shown(Watch watch, Intracomm comm, int step) {
        this.watch = watch;
        this.comm = comm;
        this.step = step;
    }

    void probedAndReceived() {
        int size = comm.getSize();
        int rank = comm.getRank();
        int left = (rank + size - 1) % size;
        int right = (rank + 1) % size;
        IntBuffer out = Message.of(comm, 0, LENGTH);
        watch.call("send", NAMED, comm, right, () -> comm.send(out, LENGTH, MPI.INT, right, step));
        watch.call("probe", NAMED, comm, left, () -> comm.probe(left, step));
        int slot = Watch.slots(comm)[left];
        for (int look = 0; look < LOOKS && !Watch.failed(comm).contains(slot) && !comm.isRevoked(); look++) {
            comm.iProbe(rank, step + 1000);
        }
        receive(left);
    }

    private void receive(int left) throws MPIException {
        IntBuffer in = MPI.newIntBuffer(LENGTH);
        Status status = watch.call(
                "recv of what was shown", NAMED, comm, left, () -> comm.recv(in, LENGTH, MPI.INT, left, step));
        watch.received(Message.received(in, 31L * step + comm.getSize(), 0, left, status));
    }
}
