package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/**
 * Checks that after the death of one process the survivors of both groups shrink an inter-communicator and go on with
 * collective operations.
 */
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
