import java.io.IOException;
import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.ulfmj.benchmarks.program.Orders;

/**
 * The cells for MPJ Express, whose API is mpiJava's: arrays with offsets, methods with capitals. Compiled against its
 * jar when a comparison with it is run. Ranks may be threads of one process, so no state here is static.
 */
public final class MpjCells {
    private static final int WINDOW = 64;
    private static final int LARGEST = 4 << 20;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int me = world.Rank();
    private final byte[] mine = new byte[LARGEST];
    private final byte[] theirs = new byte[LARGEST];
    private final ByteBuffer mineAsBuffer = ByteBuffer.wrap(mine);
    private final byte[] pattern = new byte[LARGEST];
    private final double[] myDoubles = new double[LARGEST / Double.BYTES];
    private final double[] theirDoubles = new double[LARGEST / Double.BYTES];
    private final Request[] requests = new Request[WINDOW];

    private MpjCells() {}

    public static void main(String[] args) throws IOException {
        String[] own = MPI.Init(args);
        MpjCells cells = new MpjCells();
        Orders orders = new Orders(own[own.length - 1], cells.me);
        for (String[] order = orders.next(); order != null; order = orders.next()) {
            int bytes = Integer.parseInt(order[1]);
            cells.operate(order[0], bytes, Integer.parseInt(order[2]));
            cells.world.Barrier();
            long started = System.nanoTime();
            cells.operate(order[0], bytes, Integer.parseInt(order[3]));
            cells.world.Barrier();
            if (cells.me == 0) {
                orders.answer("time " + (System.nanoTime() - started));
            }
        }
        MPI.Finalize();
    }

    private void operate(String work, int bytes, int operations) {
        int doubles = bytes / Double.BYTES;
        for (int i = 0; i < operations; i++) {
            switch (work) {
                case "pp":
                case "ppa":
                case "pps":
                    pingPong(bytes);
                    break;
                case "ppw":
                case "ppaw":
                case "ppsw":
                    pingPongRewritten(bytes, i);
                    break;
                case "rate":
                    stream(bytes);
                    break;
                case "barrier":
                    world.Barrier();
                    break;
                case "bcast":
                    world.Bcast(mine, 0, bytes, MPI.BYTE, 0);
                    break;
                case "reduce":
                    world.Reduce(myDoubles, 0, theirDoubles, 0, doubles, MPI.DOUBLE, MPI.SUM, 0);
                    break;
                case "allreduce":
                    world.Allreduce(myDoubles, 0, theirDoubles, 0, doubles, MPI.DOUBLE, MPI.SUM);
                    break;
                case "allgather":
                    world.Allgather(mine, 0, bytes, MPI.BYTE, theirs, 0, bytes, MPI.BYTE);
                    break;
                case "alltoall":
                    world.Alltoall(mine, 0, bytes, MPI.BYTE, theirs, 0, bytes, MPI.BYTE);
                    break;
                default:
                    throw new IllegalArgumentException(work + ": no such work");
            }
        }
    }

    private void pingPong(int bytes) {
        if (me == 0) {
            world.Send(mine, 0, bytes, MPI.BYTE, 1, 0);
            world.Recv(theirs, 0, bytes, MPI.BYTE, 1, 0);
        } else if (me == 1) {
            world.Recv(theirs, 0, bytes, MPI.BYTE, 0, 0);
            world.Send(mine, 0, bytes, MPI.BYTE, 0, 0);
        }
    }

    /** A round trip in which each sender rewrites the whole message before it sends it. */
    private void pingPongRewritten(int bytes, long number) {
        if (me == 0) {
            rewrite(bytes, number);
            world.Send(mine, 0, bytes, MPI.BYTE, 1, 0);
            world.Recv(theirs, 0, bytes, MPI.BYTE, 1, 0);
        } else if (me == 1) {
            world.Recv(theirs, 0, bytes, MPI.BYTE, 0, 0);
            rewrite(bytes, number);
            world.Send(mine, 0, bytes, MPI.BYTE, 0, 0);
        }
    }

    /** Writes a number into the first eight bytes of the message, and copies a pattern to the rest. */
    private void rewrite(int bytes, long number) {
        mineAsBuffer.putLong(0, number);
        if (bytes > Long.BYTES) {
            mineAsBuffer.put(Long.BYTES, pattern, Long.BYTES, bytes - Long.BYTES);
        }
    }

    private void stream(int bytes) {
        if (me == 0) {
            for (int k = 0; k < WINDOW; k++) {
                requests[k] = world.Isend(mine, 0, bytes, MPI.BYTE, 1, 0);
            }
            Request.Waitall(requests);
            world.Recv(theirs, 0, 0, MPI.BYTE, 1, 1);
        } else if (me == 1) {
            for (int k = 0; k < WINDOW; k++) {
                requests[k] = world.Irecv(theirs, 0, bytes, MPI.BYTE, 0, 0);
            }
            Request.Waitall(requests);
            world.Send(mine, 0, 0, MPI.BYTE, 0, 1);
        }
    }
}
