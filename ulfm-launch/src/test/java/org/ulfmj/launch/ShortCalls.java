package org.ulfmj.launch;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * An MPI program of two ranks that makes short calls of several kinds so often that the second compiler compiles them,
 * which it does after 2,000 calls with the options of the test. It makes 6,000 of each kind and no more, as on a busy
 * machine a rank may wait for a core in each of them.
 */
final class ShortCalls {
    private static final int CALLS = 6_000;
    private static final int BYTES = 8;

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private ShortCalls() {}

    public static void main(String[] args) {
        MPI.Init(args);
        ByteBuffer send = MPI.newByteBuffer(BYTES);
        ByteBuffer receive = MPI.newByteBuffer(BYTES);
        collectives(send, receive);
        messages(send, receive, WORLD.getRank());
        MPI.Finalize();
    }

    private static void collectives(ByteBuffer send, ByteBuffer receive) {
        for (int i = 0; i < CALLS; i++) {
            WORLD.bcast(send, BYTES, MPI.BYTE, 0);
            WORLD.barrier();
            WORLD.reduce(send, receive, 1, MPI.LONG, MPI.SUM, 0);
            WORLD.allReduce(send, receive, 1, MPI.LONG, MPI.SUM);
        }
    }

    private static void messages(ByteBuffer send, ByteBuffer receive, int rank) {
        Request[] both = new Request[2];
        int other = 1 - rank;
        for (int i = 0; i < CALLS; i++) {
            if (rank == 0) {
                WORLD.send(send, BYTES, MPI.BYTE, other, 0);
                WORLD.recv(receive, BYTES, MPI.BYTE, other, 0);
            } else {
                WORLD.recv(receive, BYTES, MPI.BYTE, other, 0);
                WORLD.send(send, BYTES, MPI.BYTE, other, 0);
            }
            both[0] = WORLD.iRecv(receive, BYTES, MPI.BYTE, other, 1);
            both[1] = WORLD.iSend(send, BYTES, MPI.BYTE, other, 1);
            Request.waitAll(both);
        }
    }
}
