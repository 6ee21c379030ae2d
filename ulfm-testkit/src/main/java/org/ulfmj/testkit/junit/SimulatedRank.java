package org.ulfmj.testkit.junit;

import java.util.Random;

/** What a rank of a {@link SimulatedMpi} program may ask of the test that it is run by. For the rank's own thread. */
public interface SimulatedRank {
    /** The seed of this run. */
    long seed();

    /** Random numbers that follow from the seed: each rank gets its own, the same whenever the seed is run. */
    Random random();

    /**
     * What this rank has computed. The results of all ranks that finalize must be equal; arrays are compared by
     * content. A rank that says so again replaces what it said before.
     */
    void result(Object value);
}
