package org.ulfmj.launch.archive;

import org.ulfmj.testkit.junit.SimulatedMpi;

/** The job of the archive must not fail, however late its ranks are: there would be no archive. */
class TrainingTest {
    @SimulatedMpi(ranks = Training.RANKS, seeds = 20, restarts = Training.SPARES, faults = Training.KILL)
    void shouldEndWellWhoeverIsLate() {
        Training.main(new String[0]);
    }
}
