package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.raises;

import mpi.CartComm;
import mpi.Comm;
import mpi.GraphComm;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Test;

/**
 * Tests the info hints of communicators, the contents of INFO_ENV, and communicators of ranks that share a host
 * (splitType).
 */
class HintsTest {
    @Test
    void shouldAddHintsAndGiveCopiesOfThem() {
        Worlds.run(2, (world, rank) -> {
            assertThat(world.getInfo().size()).isZero();
            Intracomm dup = world.dup();
            dup.setInfo(info("colour", "red", "size", "1"));
            dup.setInfo(info("size", "2"));

            Info got = dup.getInfo();
            assertThat(got.size()).isEqualTo(2);
            assertThat(got.get("colour")).isEqualTo("red");
            assertThat(got.get("size")).isEqualTo("2");
            got.set("size", "3");
            assertThat(dup.getInfo().get("size")).isEqualTo("2");
            assertThat(world.getInfo().size()).isZero();
        });
    }

    @Test
    void shouldHandHintsDownToDuplicatesOnly() {
        Worlds.run(2, (world, rank) -> {
            Intracomm parent = world.dupWithInfo(info("a", "1"));
            assertThat(Comm.compare(parent, world)).isEqualTo(MPI.CONGRUENT);
            assertThat(parent.getInfo().get("a")).isEqualTo("1");
            assertThat(parent.dup().getInfo().get("a")).isEqualTo("1");
            assertThat(parent.dupWithInfo(info("b", "2")).getInfo().get("a")).isNull();
            assertThat(parent.dupWithInfo(MPI.INFO_NULL).getInfo().size()).isZero();
            assertThat(parent.split(0, 0).getInfo().size()).isZero();
            Intracomm later = parent.iDup();
            parent.setInfo(info("a", "changed"));
            later.getRequest().waitFor();
            assertThat(later.getInfo().get("a")).isEqualTo("1");
            int[] sum = {1};
            later.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum).containsExactly(2);
        });
    }

    @Test
    void shouldKeepTheTopologyAndTheAttributesOfADuplicateWithOtherHints() {
        Worlds.run(2, (world, rank) -> {
            CartComm grid = world.createCart(new int[] {2}, new boolean[] {true}, false);
            int key = Comm.createKeyval();
            grid.setAttr(key, "kept");
            CartComm other = grid.dupWithInfo(info("a", "1"));
            assertThat(other.getInfo().get("a")).isEqualTo("1");
            assertThat(other.getTopo().getDim(0)).isEqualTo(2);
            assertThat(other.getAttr(key)).isEqualTo("kept");
            GraphComm graph = world.createGraph(new int[] {1, 2}, new int[] {1, 0}, false);
            GraphComm another = graph.dupWithInfo(info("b", "2"));
            assertThat(another.getInfo().get("b")).isEqualTo("2");
            assertThat(another.getNeighbors(rank)).containsExactly(1 - rank);
            CartComm later = other.iDup();
            later.getRequest().waitFor();
            assertThat(later.getTopo().getPeriod(0)).isTrue();
            assertThat(later.getInfo().get("a")).isEqualTo("1");
            assertThat(later.getAttr(key)).isEqualTo("kept");
        });
    }

    @Test
    void shouldRefuseNullAndFreedHints() {
        Worlds.run(1, (world, rank) -> {
            Info freed = new Info();
            freed.free();
            assertThat(raises(MPI.ERR_INFO, () -> world.setInfo(null))).hasMessageContaining("setInfo on COMM_WORLD");
            raises(MPI.ERR_INFO, () -> world.setInfo(MPI.INFO_NULL));
            raises(MPI.ERR_INFO, () -> world.setInfo(freed));
            assertThat(raises(MPI.ERR_INFO, () -> world.dupWithInfo(null))).hasMessageContaining("info is null");
            assertThat(raises(MPI.ERR_INFO, () -> world.dupWithInfo(freed))).hasMessageContaining("info was freed");
            raises(MPI.ERR_INFO, () -> world.splitType(Comm.TYPE_SHARED, 0, null));
            raises(MPI.ERR_INFO, () -> world.splitType(Comm.TYPE_SHARED, 0, freed));
            assertThat(world.dupWithInfo(MPI.INFO_NULL).getSize()).isEqualTo(1);
        });
    }

    @Test
    void shouldSayWithWhatTheRankWasStarted() {
        Worlds.run(3, (world, rank) -> {
            Info env = MPI.INFO_ENV;
            assertThat(env.get("maxprocs")).isEqualTo("3");
            assertThat(env.get("host")).isEqualTo(MPI.getProcessorName());
            assertThat(env.get("arch")).isEqualTo(System.getProperty("os.arch"));
            assertThat(env.get("wdir")).startsWith("/");
            assertThat(env.get("thread_level")).isEqualTo("MPI_THREAD_MULTIPLE");
            assertThat(env.get("command")).isNotBlank().doesNotContain(" ");
            assertThat(env.get("no such key")).isNull();
            Info copy = env.dup();
            assertThat(copy.size()).isEqualTo(env.size());
            copy.set("maxprocs", "4");
            assertThat(env.get("maxprocs")).isEqualTo("3");
        });
    }

    @Test
    void shouldDivideByHost() {
        Worlds.run(4, (world, rank) -> {
            Intracomm shared = world.splitType(Comm.TYPE_SHARED, -rank, MPI.INFO_NULL);
            assertThat(shared.getSize()).isEqualTo(4);
            assertThat(shared.getRank()).isEqualTo(3 - rank);
            Intracomm some = world.splitType(rank == 1 ? MPI.UNDEFINED : Comm.TYPE_SHARED, 0, info("a", "b"));
            assertThat(some.isNull()).isEqualTo(rank == 1);
            if (rank != 1) {
                assertThat(some.getSize()).isEqualTo(3);
                int[] sum = {rank};
                some.allReduce(sum, 1, MPI.INT, MPI.SUM);
                assertThat(sum).containsExactly(5);
            }
            assertThat(raises(MPI.ERR_ARG, () -> world.splitType(7, 0, MPI.INFO_NULL)))
                    .hasMessageContaining("splitType is 7; allowed: Comm.TYPE_SHARED (0) or MPI.UNDEFINED");
        });
    }

    private static Info info(String... keysAndValues) {
        Info info = new Info();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            info.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return info;
    }
}
