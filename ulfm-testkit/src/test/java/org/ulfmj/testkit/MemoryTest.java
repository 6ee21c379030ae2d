package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.junit.jupiter.api.Test;

/**
 * Shows that communicators, requests and datatypes that a program makes and frees again and again do not pile up in the
 * heap. All ranks live in this process, so their memory is measured together.
 *
 * <p>For a longer run: {@code -Dulfm.memory.ranks=4 -Dulfm.memory.rounds=100000 -Dulfm.memory.requests=1000000}.
 */
class MemoryTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int RANKS = Integer.getInteger("ulfm.memory.ranks", 2);
    private static final boolean WHOLE = Boolean.getBoolean("tests.whole");
    private static final int ROUNDS = Integer.getInteger("ulfm.memory.rounds", WHOLE ? 5_000 : 2_000);
    /**
     * The number of requests of one round at each rank. In all rounds together there are {@code ulfm.memory.requests};
     * if that is not set, 100,000, or 200,000 with {@code tests.whole}.
     */
    private static final int REQUESTS = Integer.getInteger("ulfm.memory.requests", WHOLE ? 200_000 : 100_000) / ROUNDS;

    /** The number of datatypes of each kind that a round makes: about 100,000 in all rounds, at least one per round. */
    private static final int TYPES = Math.max(1, 100_000 / ROUNDS);

    private static final List<Supplier<Comm>> KINDS = List.of(
            WORLD::dup,
            () -> WORLD.dupWithInfo(MPI.INFO_NULL),
            MemoryTest::startedDup,
            () -> WORLD.split(0, WORLD.getRank()),
            () -> WORLD.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL),
            () -> WORLD.create(WORLD.getGroup()),
            () -> WORLD.createGroup(WORLD.getGroup(), 3),
            () -> WORLD.createCart(new int[] {RANKS}, new boolean[] {true}, false),
            MemoryTest::graph,
            () -> WORLD.createDistGraphAdjacent(
                    new int[] {WORLD.getRank()}, new int[] {WORLD.getRank()}, MPI.INFO_NULL, false),
            MemoryTest::withRemoteGroup,
            MemoryTest::merged);

    /**
     * The detector timeout. Of a communicator that all members have freed, eight bytes are kept for at least twice this
     * time.
     */
    private static final Duration DETECTOR_TIMEOUT = Duration.ofSeconds(2);

    private static final long MOST_BYTES = 2 << 20;

    @Test
    void shouldNotGrowWhenCommunicatorsAreMadeRevokedShrunkAndFreedAndRequestsCompleted() {
        assertThat(grownAfterATenth(round -> {
                    Intracomm made = WORLD.dup();
                    made.revoke();
                    Intracomm shrunk = made.shrink();
                    exchange(shrunk);
                    made.free();
                    shrunk.free();
                }))
                .as("bytes that each rank holds more than after a tenth of %s rounds", ROUNDS)
                .isLessThan(MOST_BYTES);
    }

    @Test
    void shouldNotGrowWhenCommunicatorsOfEachKindAreMadeAndFreed() {
        assertThat(grownAfterATenth(round -> {
                    Comm made = KINDS.get(round % KINDS.size()).get();
                    if (round % 10 == 0) {
                        made.barrier();
                    }
                    made.free();
                }))
                .isLessThan(MOST_BYTES);
    }

    @Test
    void shouldNotGrowWhenDatatypesAreMadeUsedAndFreed() {
        assertThat(grownAfterATenth(round -> {
                    for (int i = 0; i < TYPES; i++) {
                        Datatype vector = Datatype.createVector(2 + i, 1, 2, MPI.INT);
                        Datatype struct = Datatype.createStruct(
                                new int[] {1, 1}, new int[] {0, 1000}, new Datatype[] {vector, MPI.DOUBLE_INT});
                        struct.commit();
                        vector.free();
                        if (i == 0) {
                            exchange(struct);
                        }
                        struct.free();
                    }
                }))
                .isLessThan(MOST_BYTES);
    }

    private static Comm startedDup() {
        Intracomm made = WORLD.iDup();
        made.getRequest().waitFor();
        return made;
    }

    private static Comm graph() {
        int[] index = IntStream.rangeClosed(1, RANKS).toArray();
        int[] edges = IntStream.rangeClosed(1, RANKS).map(next -> next % RANKS).toArray();
        return WORLD.createGraph(index, edges, false);
    }

    private static Intercomm withRemoteGroup() {
        return WORLD.createIntercomm(MPI.COMM_SELF, 0, WORLD.getRank() ^ 1, 5);
    }

    private static Comm merged() {
        Intercomm groups = withRemoteGroup();
        Intracomm made = groups.merge(WORLD.getRank() % 2 == 1);
        groups.free();
        return made;
    }

    private static void exchange(Datatype type) {
        int rank = WORLD.getRank();
        ByteBuffer out = MPI.newByteBuffer(1016);
        ByteBuffer in = MPI.newByteBuffer(1016);
        WORLD.sendRecv(out, 1, type, (rank + 1) % RANKS, 2, in, 1, type, (rank + RANKS - 1) % RANKS, 2);
    }

    private static void exchange(Intracomm comm) {
        int size = comm.getSize();
        int rank = comm.getRank();
        IntBuffer out = MPI.newIntBuffer(1).put(0, rank);
        IntBuffer in = MPI.newIntBuffer(1);
        Request[] both = new Request[2];
        for (int i = 0; i < REQUESTS / 2; i++) {
            both[0] = comm.iRecv(in, 1, MPI.INT, (rank + size - 1) % size, 1);
            both[1] = comm.iSend(out, 1, MPI.INT, (rank + 1) % size, 1);
            Request.waitAll(both);
        }
    }

    /**
     * Returns by how many bytes per rank the used heap is larger at the end of all rounds than after the first tenth of
     * them.
     */
    private static long grownAfterATenth(Consumer<Integer> part) {
        long[] used = new long[2];
        // The timeout allows for rounds of 20 ms each, and one minute more.
        LocalWorld world = LocalWorld.of(RANKS)
                .timeout(Duration.ofSeconds(60 + ROUNDS / 50))
                .detectorTimeout(DETECTOR_TIMEOUT);
        survivorsSucceed(world, rank -> {
            for (int tenth = 1; tenth <= 10; tenth++) {
                for (int round = 0; round < ROUNDS / 10; round++) {
                    part.accept(round);
                }
                WORLD.barrier();
                if (rank == 0 && (tenth == 1 || tenth == 10)) {
                    used[tenth / 10] = usedBytes();
                    System.out.printf("%,d bytes are in use after %d tenths%n", used[tenth / 10], tenth);
                }
                WORLD.barrier();
            }
        });
        return (used[1] - used[0]) / RANKS;
    }

    private static long usedBytes() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            used = Math.min(
                    used,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return used;
    }
}
