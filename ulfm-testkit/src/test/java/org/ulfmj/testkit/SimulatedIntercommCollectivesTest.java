package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import mpi.Intercomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.IntercommCases.Case;
import org.ulfmj.testkit.junit.SimulatedMpi;
import org.ulfmj.testkit.junit.SimulatedRank;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Collective operations of inter-communicators in simulated time, with deaths at any message: no survivor has a wrong
 * value, and none hangs.
 */
class SimulatedIntercommCollectivesTest {
    private static final int FIRST = 3;
    /** More frames than any rank sends in the program below. */
    private static final int FRAMES = 1000;

    private static final int STEP = Boolean.getBoolean("tests.whole") ? 1 : 6;

    /** Each rank does the operations until one fails, and then revokes, as a program does that gives up. */
    private static void play(long seed) {
        MPI.Init(new String[0]);
        Intercomm inter = null;
        try {
            inter = IntercommCases.between(FIRST);
            for (int count : new int[] {1, 0, 30}) {
                if (seed % 2 == 0) {
                    blocking(IntercommCases.all(inter, FIRST, count));
                } else {
                    started(IntercommCases.all(inter, FIRST, count));
                }
            }
            inter.barrier();
        } catch (ProcFailedException | RevokedException error) {
            if (inter != null) {
                inter.revoke();
            }
        }
        MPI.Finalize();
    }

    private static void blocking(List<Case> cases) {
        for (Case each : cases) {
            IntBuffer receive = each.received();
            each.blocking().accept(each.sent(), receive);
            check(each, receive);
        }
    }

    private static void started(List<Case> cases) {
        List<Request> requests = new ArrayList<>();
        List<IntBuffer> results = new ArrayList<>();
        for (Case each : cases) {
            IntBuffer receive = each.received();
            requests.add(each.started().apply(each.sent(), receive));
            results.add(receive);
        }
        for (int i = cases.size() - 1; i >= 0; i--) {
            requests.get(i).waitFor();
            check(cases.get(i), results.get(i));
        }
    }

    private static void check(Case each, IntBuffer receive) {
        if (each.expected() != null) {
            int[] got = new int[each.expected().length];
            receive.clear().get(got);
            assertThat(got).as(each.name()).isEqualTo(each.expected());
        }
    }

    @SimulatedMpi(ranks = 5, seeds = 2)
    void shouldSucceedWithoutFailures(SimulatedRank test) {
        play(test.seed());
    }

    @SimulatedMpi(ranks = 5, seeds = 24, faults = "crash:rank=any(1)@frame=random(120)")
    void shouldGiveTheRightValuesOrRaiseWhenARankDies(SimulatedRank test) {
        play(test.seed());
    }

    @SimulatedMpi(ranks = 5, seeds = 16, faults = "random(2)")
    void shouldGiveTheRightValuesOrRaiseWhateverFails(SimulatedRank test) {
        play(test.seed());
    }

    /** The leader of each group, and a rank that is none, die ever later, until the program is over first. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void shouldGiveTheRightValuesOrRaiseWheneverARankDies(int victim) {
        int deaths = 1;
        int runs = 0;
        for (int frame = 1; deaths == 1; frame += STEP) {
            assertThat(frame).isLessThan(FRAMES);
            int seed = frame;
            SimResult result = SimWorld.of(5)
                    .seed(seed)
                    .faults("crash:rank=" + victim + "@frame=" + frame)
                    .run(() -> play(seed));
            result.ends().requireSurvivorsSucceeded();
            deaths = result.deaths();
            runs++;
        }
        assertThat(runs).isGreaterThan(60 / STEP);
    }
}
