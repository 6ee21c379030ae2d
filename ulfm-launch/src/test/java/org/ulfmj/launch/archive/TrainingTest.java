package org.ulfmj.launch.archive;

import org.ulfmj.testkit.junit.SimulatedMpi;

/**
 * The training program, whose run makes the archive of classes, must not fail, however late its ranks are: there would
 * be no archive.
 */
class TrainingTest {
    @SimulatedMpi(ranks = Training.RANKS, seeds = 20, restarts = Training.SPARES, faults = Training.KILL)
    void shouldEndWellWhicheverRankIsLate() {
        Training.main(new String[0]);
    }
}
