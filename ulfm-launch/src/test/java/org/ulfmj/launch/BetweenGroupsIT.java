package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/** Collective operations of an inter-communicator among processes, one of which is killed. */
class BetweenGroupsIT {
    @Test
    void shouldGoOnBetweenTheSurvivorsOfBothGroups() throws InterruptedException {
        Ended job = Launched.run(
                Launched.program("-n 5 --timeout 60 --inject kill:rank=3@op=allReduce#2 java", BetweenGroups.class));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines())
                .containsExactlyInAnyOrder(
                        "rank 0: 4, raised, 1 of 1",
                        "rank 1: 6, raised, 6 of 3",
                        "rank 2: 4, raised, 1 of 1",
                        "rank 4: 4, raised, 1 of 1");
    }
}
