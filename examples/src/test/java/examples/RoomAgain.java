package examples;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.Request;

/**
 * Two ranks whose first messages find no room for shared memory and go by TCP, and later ones go through shared memory
 * when there is room. Argument: {@code DIRECTORY}, that of the job's shared memory, in a separate file system. Each
 * rank prints how its messages went at first and later.
 */
final class RoomAgain {
    private static final int SEED = 7;
    private static final int WORDS = 3_000;
    private static final int BURST = 32;
    private static final int BY_TCP = 200;
    private static final int AFTERWARDS = 2_000;
    private static final int CONTROL_LANE_BYTES = 16 * 1024;
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(60);

    private static final int[][] SENT = new int[BURST][WORDS];
    private static final int[] RECEIVED = new int[WORDS];
    private static int next;

    private RoomAgain() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        Path filler = Path.of(args[0], "filler");
        Path full = Path.of(args[0], "full");
        long endNs = System.nanoTime() + MOST_NS;
        if (rank == 0) {
            fill(filler);
            Files.move(filler, full);
        } else {
            while (!Files.exists(full) && System.nanoTime() - endNs < 0) {
                Thread.onSpinWait();
            }
        }
        for (int i = 0; i < BY_TCP; i += BURST) {
            exchange(rank, false);
        }
        boolean isByTcpAtFirst = !hasDataLane(args[0], rank);
        // This exchange ends only after the other rank has sent in it, so that rank has also checked whether its lane
        // for data is mapped before the file is deleted below.
        exchange(rank, false);
        if (rank == 0) {
            Files.delete(full);
        }
        boolean isBackHere;
        do {
            isBackHere = hasDataLane(args[0], rank);
        } while (exchange(rank, isBackHere) < 2 && System.nanoTime() - endNs < 0);
        for (int i = 0; i < AFTERWARDS; i += BURST) {
            exchange(rank, isBackHere);
        }
        System.out.println("rank " + rank + ": by TCP " + isByTcpAtFirst + ", then by shared memory "
                + hasDataLane(args[0], rank));
        MPI.Finalize();
    }

    private static void fill(Path filler) throws IOException {
        try (FileChannel file = FileChannel.open(filler, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer page = ByteBuffer.allocate(4096);
            while (true) {
                file.write(page.clear());
            }
        } catch (IOException full) {
            // As it should be.
        }
    }

    /**
     * Exchanges a burst of numbered messages with the other rank, none of which may overtake another. Returns how many
     * of the two ranks (0 to 2) say that they use shared memory again.
     */
    private static int exchange(int rank, boolean isBack) throws Exception {
        Request[] sends = new Request[BURST];
        for (int i = 0; i < BURST; i++) {
            SENT[i][0] = SEED + next + i;
            SENT[i][1] = isBack ? 1 : 0;
            SENT[i][WORDS - 1] = next + i;
            sends[i] = MPI.COMM_WORLD.iSend(MPI.newIntBuffer(WORDS).put(SENT[i]).flip(), WORDS, MPI.INT, 1 - rank, 0);
        }
        int theirs = 0;
        for (int i = 0; i < BURST; i++) {
            MPI.COMM_WORLD.recv(RECEIVED, WORDS, MPI.INT, 1 - rank, 0);
            if (RECEIVED[0] != SEED + next + i || RECEIVED[WORDS - 1] != next + i) {
                throw new AssertionError("message " + (next + i) + " is " + RECEIVED[0] + " " + RECEIVED[WORDS - 1]);
            }
            theirs = RECEIVED[1];
        }
        Request.waitAll(sends);
        next += BURST;
        return (isBack ? 1 : 0) + theirs;
    }

    /**
     * Whether a lane for data to the other rank is mapped. The lane for control frames is smaller, and does not count.
     */
    private static boolean hasDataLane(String directory, int rank) throws IOException {
        String name = "/" + rank + ".0-" + (1 - rank) + "-";
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains(directory) && line.contains(name)) {
                String[] range = line.substring(0, line.indexOf(' ')).split("-");
                if (Long.parseLong(range[1], 16) - Long.parseLong(range[0], 16) > CONTROL_LANE_BYTES) {
                    return true;
                }
            }
        }
        return false;
    }
}
