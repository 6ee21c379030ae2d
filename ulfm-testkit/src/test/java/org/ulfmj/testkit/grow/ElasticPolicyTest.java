package org.ulfmj.testkit.grow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/** Tests the elastic policy of the retry loop, which lets waiting processes into the world at each recovery. */
class ElasticPolicyTest {
    private static final int STEPS = 40;

    private final AtomicInteger newcomers = new AtomicInteger();

    /**
     * Counts to {@link #STEPS} in steps that all members make together, and on until the world has enough members. A
     * newcomer takes over the count of the others.
     */
    private final class Count implements Resilient.Loop {
        private final int awaited;
        private int steps;
        private boolean hasState;

        /** @param awaited how many members the world must have before the counting may end */
        Count(int awaited) {
            this.awaited = awaited;
        }

        @Override
        public void restore(Intracomm comm, Resilient.Recovery recovery) {
            assertThat(recovery.isNewcomer()).isEqualTo(MPI.isNewcomer() && !hasState);
            int[] least = {recovery.isNewcomer() ? Integer.MAX_VALUE : steps};
            comm.allReduce(least, 1, MPI.INT, MPI.MIN);
            steps = least[0];
            newcomers.addAndGet(recovery.isNewcomer() ? 1 : 0);
            hasState = true;
        }

        @Override
        public void work(Intracomm comm) {
            while (steps < STEPS || comm.getSize() < awaited) {
                if (MPI.numWaiting() > 0) {
                    comm.revoke();
                }
                int[] next = {steps + 1};
                comm.allReduce(next, 1, MPI.INT, MPI.MAX);
                assertThat(next[0]).isEqualTo(steps + 1);
                steps = next[0];
            }
        }
    }

    private void main(int awaited) {
        MPI.Init(new String[0]);
        Count count = new Count(awaited);
        Intracomm left = Resilient.run(MPI.COMM_WORLD, Resilient.Policy.ELASTIC, count);
        assertThat(left).isSameAs(MPI.COMM_WORLD);
        assertThat(count.steps).isGreaterThanOrEqualTo(STEPS);
        MPI.Finalize();
    }

    @Test
    void shouldLetInWhatJoinsWhenARankRevokes() {
        LocalResult result = LocalWorld.of(2).joining(2).run(() -> main(4));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2, 3);
        assertThat(newcomers).hasValue(2);
    }

    @Test
    void shouldLeaveOutTheDeadAndLetInWhatJoins() {
        LocalResult result =
                LocalWorld.of(3).joining(1).killing(1, "allReduce", 20).run(() -> main(3));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 2, 3);
    }

    @Test
    void shouldShrinkAWorldThatNoProcessJoins() {
        LocalResult result = LocalWorld.of(3).killing(1, "allReduce", 20).run(() -> main(2));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 2);
        assertThat(newcomers).hasValue(0);
    }

    @Test
    void shouldGoOnInANewWorldWhenNoneIsDeadAndNoneWaits() {
        AtomicInteger attempts = new AtomicInteger();
        LocalResult result = LocalWorld.of(2).run(() -> {
            MPI.Init(new String[0]);
            Resilient.run(MPI.COMM_WORLD, Resilient.Policy.ELASTIC, comm -> {
                attempts.incrementAndGet();
                if (attempts.get() <= 2 && comm.getRank() == 0) {
                    comm.revoke();
                }
                comm.barrier();
            });
            MPI.Finalize();
        });
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1);
        assertThat(attempts.get()).isGreaterThanOrEqualTo(3);
    }
}
