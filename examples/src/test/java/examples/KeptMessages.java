package examples;

import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;

/**
 * Rank 0 takes a short and a long message of rank 1 by matched probes. Rank 1 is then killed
 * ({@code kill:rank=1@iter=1}), and rank 0 tries to receive both messages afterwards. A buffered message from rank 0 to
 * rank 1, which no rank receives, is sent before the death, and another one is tried after it. The ranks check that
 * they share a host.
 */
final class KeptMessages {
    private static final int LONG = 1 << 18;
    private static final int SHORT_TAG = 1;
    private static final int LONG_TAG = 2;

    private KeptMessages() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        Intracomm host = world.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL);
        require(host.getSize() == world.getSize(), "one host");
        require(MPI.INFO_ENV.get("maxprocs").equals(Integer.toString(world.getSize())), "maxprocs");
        require(MPI.INFO_ENV.get("command").equals(KeptMessages.class.getName()), "command");
        if (world.getRank() == 1) {
            world.send(new int[] {5}, 1, MPI.INT, 0, SHORT_TAG);
            world.iSend(IntBuffer.allocate(LONG), LONG, MPI.INT, 0, LONG_TAG);
            world.recv(new int[0], 0, MPI.INT, 0, 0);
            // Rank 2 sends this once it has made its communicator too; if rank 1 died before that, rank 2 would meet
            // the death there.
            world.recv(new int[0], 0, MPI.INT, 2, 0);
            MPI.pControl(1, null);
        } else if (world.getRank() == 0) {
            receiveLate(world);
        } else {
            world.send(new int[0], 0, MPI.INT, 1, 0);
        }
        MPI.Finalize();
    }

    private static void receiveLate(Intracomm world) {
        MPI.attachBuffer(new byte[LONG * Integer.BYTES + MPI.BSEND_OVERHEAD]);
        Message whole = new Message();
        Message announced = new Message();
        whole.mProbe(1, SHORT_TAG, world);
        announced.mProbe(1, LONG_TAG, world);
        world.bSend(new int[LONG], LONG, MPI.INT, 1, LONG_TAG);
        world.send(new int[0], 0, MPI.INT, 1, 0);
        MPI.detachBuffer();
        while (world.getFailed().getSize() == 0) {
            Thread.onSpinWait();
        }
        int[] data = new int[LONG];
        whole.mRecv(data, 1, MPI.INT);
        System.out.println("whole " + data[0]);
        System.out.println("announced " + errorOf(() -> announced.mRecv(data, LONG, MPI.INT)));
        MPI.attachBuffer(new byte[LONG]);
        System.out.println("bSend " + errorOf(() -> world.bSend(data, 1, MPI.INT, 1, 0)));
    }

    private static int errorOf(Runnable call) {
        try {
            call.run();
            return MPI.SUCCESS;
        } catch (MPIException failure) {
            return failure.getErrorClass();
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
