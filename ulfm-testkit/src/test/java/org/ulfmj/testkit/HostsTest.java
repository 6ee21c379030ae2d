package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.slots;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import mpi.Comm;
import mpi.Datatype;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.UserFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests programs whose ranks, as threads, are spread over several simulated hosts: their results, their division by
 * host, and a replacement on another host.
 */
class HostsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    /** An operator that keeps the items of the lower rank; it does not commute. */
    private static final UserFunction LOWER = new UserFunction() {
        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            System.arraycopy(in, 0, inOut, 0, count);
        }
    };

    static IntStream sizes() {
        return IntStream.rangeClosed(1, 13);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldGiveTheResultsOfOneHostWhereverRanksAre(int size) {
        Random random = new Random(size);
        int[] hosts = random.ints(size, 0, 1 + Math.min(4, size)).toArray();
        assertThat(results(LocalWorld.of(size).hosts(hosts), size)).isEqualTo(results(LocalWorld.of(size), size));
    }

    /** Runs a program of collectives in this world. Returns the results of all ranks as text, vectors as hash codes. */
    private static String results(LocalWorld world, int size) {
        AtomicReferenceArray<String> all = new AtomicReferenceArray<>(size);
        world.run(() -> {
                    MPI.Init(new String[0]);
                    StringBuilder text = new StringBuilder();
                    for (int count : new int[] {1, 500, 9000}) {
                        for (int root = 0; root < size; root += 3) {
                            use(root, count, text);
                        }
                    }
                    text.append(WORLD.agree(0b111 << WORLD.getRank() % 3));
                    all.set(WORLD.getRank(), text.toString());
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
        return all.toString();
    }

    private static void use(int root, int count, StringBuilder text) {
        int size = WORLD.getSize();
        int[] mine = new Random(WORLD.getRank() * 31 + count).ints(count).toArray();
        int[] all = new int[count];
        WORLD.allReduce(mine, all, count, MPI.INT, MPI.SUM);
        text.append(Arrays.hashCode(all)).append(' ');
        WORLD.allReduce(mine, all, count, MPI.INT, new Op(LOWER, false));
        text.append(Arrays.hashCode(all)).append(' ');
        int[] reduced = new int[count];
        WORLD.reduce(mine, reduced, count, MPI.INT, MPI.MAX, root);
        text.append(Arrays.hashCode(reduced)).append(' ');
        int[] sent = mine.clone();
        WORLD.bcast(sent, count, MPI.INT, root);
        text.append(Arrays.hashCode(sent)).append(' ');
        int[] parts = new int[count * size];
        WORLD.allGather(mine, count, MPI.INT, parts, count, MPI.INT);
        text.append(Arrays.hashCode(parts)).append(' ');
        int[] gathered = new int[count * size];
        WORLD.gather(mine, count, MPI.INT, gathered, count, MPI.INT, root);
        text.append(Arrays.hashCode(gathered)).append(' ');
        // parts of different lengths
        int[] counts = IntStream.range(0, size).map(rank -> rank % 3).toArray();
        int[] places = IntStream.range(0, size).map(rank -> 3 * rank).toArray();
        int[] uneven = new int[3 * size];
        WORLD.gatherv(Arrays.copyOf(mine, 3), counts[WORLD.getRank()], MPI.INT, uneven, counts, places, MPI.INT, root);
        text.append(Arrays.hashCode(uneven)).append(' ');
        WORLD.barrier();
    }

    @Test
    void shouldDivideAWorldByItsHosts() {
        LocalWorld.of(5)
                .hosts(0, 1, 0, 1, 1)
                .run(() -> {
                    MPI.Init(new String[0]);
                    Intracomm host = WORLD.splitType(Comm.TYPE_SHARED, 0, new Info());
                    int[] expected =
                            WORLD.getRank() % 2 == 0 && WORLD.getRank() < 4 ? new int[] {0, 2} : new int[] {1, 3, 4};
                    assertThat(slots(host)).isEqualTo(expected);
                    for (int i = 0; i < 10; i++) {
                        int[] sum = new int[1];
                        host.allReduce(new int[] {1 + WORLD.getRank()}, sum, 1, MPI.INT, MPI.SUM);
                        assertThat(sum[0]).isEqualTo(Arrays.stream(expected).sum() + expected.length);
                    }
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    /**
     * The process that replaces the victim runs on a separate host: the survivors must use the placement of the new
     * world.
     */
    @Test
    void shouldGoOnWhenAReplacementIsOnAnotherHost() {
        for (int victim = 0; victim < 4; victim++) {
            int dead = victim;
            LocalResult ends = LocalWorld.of(4)
                    .restarting(1)
                    .hosts((rank, incarnation) -> incarnation == 0 ? rank / 2 : 7)
                    .killing(victim, "barrier", 2)
                    .run(() -> {
                        MPI.Init(new String[0]);
                        Intracomm world = WORLD;
                        Intracomm before = null;
                        if (!MPI.isReplacement()) {
                            before = world.dup();
                            try {
                                world.barrier();
                                world.barrier();
                            } catch (MPIException failure) {
                                // The rank that died is replaced below.
                            }
                            world = world.replace();
                        }
                        int[] sum = new int[1];
                        for (int i = 0; i < 12; i++) {
                            world.allReduce(new int[] {1 << world.getRank()}, sum, 1, MPI.INT, MPI.SUM);
                            assertThat(sum[0]).isEqualTo(0b1111);
                            assertThat(world.agree(~(1 << world.getRank()))).isEqualTo(~0b1111);
                        }
                        int here =
                                world.splitType(Comm.TYPE_SHARED, 0, new Info()).getSize();
                        boolean isAlone = MPI.isReplacement() || world.getRank() / 2 == dead / 2;
                        assertThat(here).isEqualTo(isAlone ? 1 : 2);
                        if (before != null) {
                            // The communicator from before the replacement keeps its old processes and their hosts;
                            // shrink leaves the victim out of it.
                            Intracomm left = before.shrink();
                            left.allReduce(new int[] {1 << world.getRank()}, sum, 1, MPI.INT, MPI.SUM);
                            assertThat(sum[0]).isEqualTo(0b1111 & ~(1 << dead));
                        }
                        MPI.Finalize();
                    });
            assertThat(ends.ranks(RankEnd.FINALIZED)).as(ends.toString()).containsExactly(0, 1, 2, 3);
            assertThat(ends.incarnations(victim)).isEqualTo(2);
        }
    }

    @Test
    void shouldRefuseHostsOfOtherRanks() {
        assertThatThrownBy(() -> LocalWorld.of(3).hosts(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 ranks and the hosts of 2");
    }
}
