package org.ulfmj.launch.archive;

import org.ulfmj.testkit.junit.SimulatedMpi;

/**
 * Checks in simulated runs with several seeds that the training program, whose run makes the archive of classes, does
 * not fail: otherwise there would be no archive.
 */
class TrainingTest {
    @SimulatedMpi(ranks = Training.RANKS, seeds = 20, restarts = Training.SPARES, faults = Training.KILL)
    void shouldEndWellWhicheverRankIsLate() {
        Training.main(new String[0]);
    }
}
