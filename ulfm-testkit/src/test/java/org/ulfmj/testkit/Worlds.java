package org.ulfmj.testkit;

import mpi.Intracomm;
import mpi.MPI;

/**
 * Runs a body at each rank of a world, between Init and Finalize, and requires that all ranks that did not die
 * succeeded.
 */
final class Worlds {
    /** What a rank does. */
    @FunctionalInterface
    interface Body {
        void run(Intracomm world, int rank) throws Exception;
    }

    private Worlds() {}

    static LocalResult run(int size, Body body) {
        return run(LocalWorld.of(size), body);
    }

    static LocalResult run(LocalWorld world, Body body) {
        LocalResult result = world.run(() -> {
            MPI.Init(new String[0]);
            body.run(MPI.COMM_WORLD, MPI.COMM_WORLD.getRank());
            MPI.Finalize();
        });
        return result.requireSurvivorsSucceeded();
    }
}
