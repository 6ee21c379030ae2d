package examples;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import mpi.Comm;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * Makes and frees communicators of each kind. Arguments: {@code DIRECTORY ROUNDS}, where the directory is that of the
 * job's shared memory, in a separate file system. In each round one communicator of each kind is made and freed; in
 * every fifth round each does a collective before.
 *
 * <p>Before that the lanes of shared memory are filled, and half as many rounds are done, which are not counted. Each
 * rank prints a line after each tenth of the rounds: its rank, the tenth, bytes in use in its heap, bytes in use in the
 * file system, its mappings, and its open files.
 */
final class FreedCommunicators {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int COLLECTIVE_EACH = 5;
    private static final int TAG = 5;
    private static final int MESSAGE_BYTES = 256;
    private static final int MESSAGES = 8_000;

    private FreedCommunicators() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rounds = Integer.parseInt(args[1]);
        Map<String, Supplier<Comm>> kinds = kinds();
        fillLanes();
        play(rounds / 2, kinds);
        for (int tenth = 1; tenth <= 10; tenth++) {
            play(rounds / 10, kinds);
            WORLD.barrier();
            System.out.println(WORLD.getRank() + " " + tenth + " " + heapBytes() + " " + sharedBytes(args[0]) + " "
                    + mappings() + " " + openFiles());
            WORLD.barrier();
        }
        if (WORLD.getRank() == 0) {
            System.out.println("kinds " + kinds.keySet());
        }
        MPI.Finalize();
    }

    /**
     * Sends each rank more than a full lane of shared memory holds, so that the lanes for data between ranks have grown
     * before anything is counted.
     */
    private static void fillLanes() {
        ByteBuffer bytes = MPI.newByteBuffer(MESSAGE_BYTES);
        ByteBuffer received = MPI.newByteBuffer(MESSAGE_BYTES);
        Request[] sends = new Request[WORLD.getSize() * MESSAGES];
        for (int i = 0; i < sends.length; i++) {
            sends[i] = WORLD.iSend(bytes, MESSAGE_BYTES, MPI.BYTE, i % WORLD.getSize(), TAG);
        }
        WORLD.barrier();
        for (int i = 0; i < sends.length; i++) {
            WORLD.recv(received, MESSAGE_BYTES, MPI.BYTE, i % WORLD.getSize(), TAG);
        }
        Request.waitAll(sends);
    }

    /** Makes and frees {@code rounds} communicators of each kind. */
    private static void play(int rounds, Map<String, Supplier<Comm>> kinds) {
        int[] mine = {WORLD.getRank()};
        int[] sum = new int[1];
        for (int round = 0; round < rounds; round++) {
            for (Supplier<Comm> kind : kinds.values()) {
                Comm made = kind.get();
                if (round % COLLECTIVE_EACH == 0) {
                    made.allReduce(mine, sum, 1, MPI.INT, MPI.SUM);
                }
                made.free();
            }
        }
    }

    private static Map<String, Supplier<Comm>> kinds() {
        int size = WORLD.getSize();
        int rank = WORLD.getRank();
        int[] itself = {rank};
        int[] next = {(rank + 1) % size};
        int[] previous = {(rank + size - 1) % size};
        int[] each = {1};
        int[] index = IntStream.rangeClosed(1, size).toArray();
        int[] edges = IntStream.rangeClosed(1, size).map(i -> i % size).toArray();
        Map<String, Supplier<Comm>> kinds = new LinkedHashMap<>();
        kinds.put("dup", WORLD::dup);
        kinds.put("dupWithInfo", () -> WORLD.dupWithInfo(MPI.INFO_NULL));
        kinds.put("iDup", () -> {
            Intracomm made = WORLD.iDup();
            made.getRequest().waitFor();
            return made;
        });
        kinds.put("split", () -> WORLD.split(0, rank));
        kinds.put("splitType", () -> WORLD.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL));
        kinds.put("create", () -> WORLD.create(WORLD.getGroup()));
        kinds.put("createGroup", () -> WORLD.createGroup(WORLD.getGroup(), TAG));
        kinds.put("createCart", () -> WORLD.createCart(new int[] {size}, new boolean[] {true}, false));
        kinds.put("createGraph", () -> WORLD.createGraph(index, edges, false));
        kinds.put("createDistGraph", () -> WORLD.createDistGraph(itself, each, next, each, MPI.INFO_NULL, false));
        kinds.put("createDistGraphAdjacent", () -> WORLD.createDistGraphAdjacent(previous, next, MPI.INFO_NULL, false));
        kinds.put("createIntercomm", FreedCommunicators::withRemoteGroup);
        kinds.put("merge", () -> {
            Intercomm groups = withRemoteGroup();
            Intracomm made = groups.merge(rank != 0);
            groups.free();
            return made;
        });
        kinds.put("shrink", () -> {
            Intracomm revoked = WORLD.dup();
            revoked.revoke();
            Intracomm made = revoked.shrink();
            revoked.free();
            return made;
        });
        return kinds;
    }

    /** Makes an inter-communicator of rank 0 alone and all other ranks. */
    private static Intercomm withRemoteGroup() {
        boolean isFirst = WORLD.getRank() == 0;
        Intracomm group = WORLD.split(isFirst ? 0 : 1, WORLD.getRank());
        Intercomm made = WORLD.createIntercomm(group, 0, isFirst ? 1 : 0, TAG);
        group.free();
        return made;
    }

    private static long heapBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    private static long sharedBytes(String directory) {
        File fileSystem = new File(directory);
        return fileSystem.getTotalSpace() - fileSystem.getUsableSpace();
    }

    private static int mappings() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).size();
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
