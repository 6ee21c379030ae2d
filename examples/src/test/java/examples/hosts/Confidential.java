package examples.hosts;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;

/** Ranks send each other a known text by messages and by collectives, in a short and a long form. */
final class Confidential {
    static final String TEXT = "what no host between the two may read. ";

    /** How many times the long form repeats the text. */
    static final int LONG_TIMES = 20_000;

    private static final byte[] SHORT = TEXT.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LONG = TEXT.repeat(LONG_TIMES).getBytes(StandardCharsets.US_ASCII);

    private Confidential() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        int ranks = world.getSize();
        int rank = world.getRank();
        for (byte[] text : new byte[][] {SHORT, LONG}) {
            byte[] received = new byte[text.length];
            world.sendRecv(
                    text,
                    text.length,
                    MPI.BYTE,
                    (rank + 1) % ranks,
                    0,
                    received,
                    text.length,
                    MPI.BYTE,
                    (rank + ranks - 1) % ranks,
                    0);
            byte[] common = rank == 0 ? text.clone() : new byte[text.length];
            world.bcast(common, text.length, MPI.BYTE, 0);
            if (!Arrays.equals(received, text) || !Arrays.equals(common, text)) {
                throw new AssertionError("rank " + rank + " has received another text");
            }
        }
        MPI.Finalize();
    }
}
