package org.ulfmj.testkit.grow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests elastic jobs of the whole runtime in simulated time, with and without deaths, as {@link GrowingStory} checks
 * them, and what such worlds refuse. {@code -Dgrow.seeds=10000} sets how many seeds are run with each kind of fault.
 */
class SimulatedGrowTest {
    private static final long SEEDS = Long.getLong("grow.seeds", 250);
    private static final long FIRST = Long.getLong("grow.first", 1);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3|",
                "3|kill:rank=any(2)@op=*",
                "3|crash:rank=any(2)@byte=random",
                "3|crash:rank=any(2)@frame=random(120)",
                "2|vanish:rank=any(1)@op=*",
            })
    void shouldRunInOneWorldUnderDeathsAtAnyMessage(int ranks, String faults) {
        AtomicInteger grown = new AtomicInteger();
        String wrong = GrowingStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults, grown);
        System.out.println(SEEDS + " elastic jobs of " + ranks + " and more ranks, faults \"" + faults + "\": " + grown
                + " changes of a world");
        assertThat(wrong).isEmpty();
        assertThat(grown.get()).isGreaterThan((int) SEEDS / 2);
    }

    @Test
    void shouldPutAProcessThatJoinsOnTheHostOfTheLastRank() throws Exception {
        Set<String> names = ConcurrentHashMap.newKeySet();
        SimWorld.of(2).joining(1).hosts(0, 1).run(() -> {
            MPI.Init(new String[0]);
            while (MPI.COMM_WORLD.getSize() < 3) {
                MPI.COMM_WORLD.grow();
            }
            Intracomm ofHost = MPI.COMM_WORLD.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL);
            names.add(MPI.COMM_WORLD.getRank() + ": " + ofHost.getSize() + " on this host");
            MPI.Finalize();
        });
        assertThat(names).containsExactlyInAnyOrder("0: 1 on this host", "1: 2 on this host", "2: 2 on this host");
    }

    @Test
    void shouldRefuseRestartsAndFaultsOtherThanDeaths() {
        assertThatThrownBy(() -> SimWorld.of(2).joining(1).restarting(1))
                .hasMessage("a world that processes join has no restarts");
        assertThatThrownBy(() -> SimWorld.of(2).restarting(1).joining(1))
                .hasMessage("a world that processes join has no restarts");
        assertThatThrownBy(() -> SimWorld.of(2).joining(-1)).hasMessage("joining processes (-1) must be at least 0");
        assertThatThrownBy(() -> SimWorld.of(2)
                        .joining(1)
                        .faults("pause:rank=0:for=1s@t=1ms")
                        .run(() -> {}))
                .hasMessageContaining("a world that processes join has no faults but deaths of ranks, and there is");
    }
}
