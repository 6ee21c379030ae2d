package org.ulfmj.testkit.invariant;

import static org.ulfmj.testkit.invariant.Call.Kind.NAMED;
import static org.ulfmj.testkit.invariant.Call.Kind.WILDCARD;

import java.nio.IntBuffer;
import java.util.Random;
import java.util.Set;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.ProcFailedPendingException;
import mpi.Request;
import mpi.Status;

/**
 * One rank, the root, receives messages from any source, acknowledges each death, and goes on until all other live
 * ranks have sent theirs.
 */
final class Wildcards {
    private static final int LENGTH = 40;

    private final Watch watch;
    private final Intracomm comm;
    private final int step;
    private final int size;
    private final int root;
    private final int each;
    private final int[] received;

    Wildcards(Watch watch, Intracomm comm, int step, Random random) {
        this.watch = watch;
        this.comm = comm;
        this.step = step;
        this.size = comm.getSize();
        this.root = random.nextInt(100) % size;
        this.each = 1 + random.nextInt(3);
        this.received = new int[size];
    }

    /** By blocking receives, which a death ends. */
    void received() {
        if (comm.getRank() != root) {
            send();
            return;
        }
        IntBuffer in = MPI.newIntBuffer(LENGTH);
        while (!isComplete()) {
            try {
                Status status = watch.call(
                        "recv", WILDCARD, comm, -1, () -> comm.recv(in, LENGTH, MPI.INT, MPI.ANY_SOURCE, step));
                take(in, status);
            } catch (ProcFailedException death) {
                comm.ackFailed();
            }
        }
    }

    /**
     * The root receives by non-blocking receives from any source, one at a time. A death holds the request up
     * (PROC_FAILED_PENDING), but does not end it.
     */
    void requested() {
        if (comm.getRank() != root) {
            send();
            return;
        }
        IntBuffer in = MPI.newIntBuffer(LENGTH);
        Request request = null;
        while (!isComplete()) {
            request = request == null ? comm.iRecv(in, LENGTH, MPI.INT, MPI.ANY_SOURCE, step) : request;
            Request current = request;
            try {
                Status status = watch.call("waitStatus", WILDCARD, comm, -1, current::waitStatus);
                take(in, status);
                request = null;
            } catch (ProcFailedPendingException heldUp) {
                watch.result(!current.isNull(), () -> "a request that is held up is over");
                comm.ackFailed();
            }
        }
        if (request != null) {
            withdraw(request);
        }
    }

    private void withdraw(Request request) {
        request.cancel();
        try {
            request.waitFor();
        } catch (ProcFailedPendingException death) {
            throw new IllegalStateException("a request that was withdrawn is held up", death);
        }
    }

    private void send() {
        for (int number = 0; number < each; number++) {
            IntBuffer out = Message.of(comm, number, LENGTH);
            watch.call("send", NAMED, comm, root, () -> comm.send(out, LENGTH, MPI.INT, root, step));
        }
    }

    private void take(IntBuffer in, Status status) throws MPIException {
        watch.received(Message.received(in, 31L * step + size, -1, MPI.ANY_SOURCE, status));
        received[status.getSource()]++;
    }

    private boolean isComplete() {
        if (comm.ackFailed(0) > 0) {
            Set<Integer> failed = Watch.failed(comm);
            int[] slots = Watch.slots(comm);
            for (int rank = 0; rank < size; rank++) {
                if (rank != root && received[rank] < each && !failed.contains(slots[rank])) {
                    return false;
                }
            }
            return true;
        }
        for (int rank = 0; rank < size; rank++) {
            if (rank != root && received[rank] < each) {
                return false;
            }
        }
        return true;
    }
}
