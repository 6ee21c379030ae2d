package org.ulfmj.launch.archive;

import mpi.MPI;
import org.ulfmj.testkit.junit.SimulatedMpi;

/**
 * Checks in simulated runs with several seeds that the training job, from which the cache is made, neither fails nor
 * hangs: otherwise there would be no cache.
 */
class AotTrainingTest {
    private static final int ROUNDS = 2;

    @SimulatedMpi(ranks = AotTraining.RANKS, seeds = 10, restarts = AotTraining.SPARES, faults = AotTraining.KILL)
    void shouldEndWellWhicheverRankIsLate() {
        MPI.Init(new String[0]);
        if (!MPI.isReplacement()) {
            AotTraining.train(MPI.COMM_WORLD, 0, ROUNDS);
        }
        Training.liveAndDie();
        MPI.Finalize();
    }
}
