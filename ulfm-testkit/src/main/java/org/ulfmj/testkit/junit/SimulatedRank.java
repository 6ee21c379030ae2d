package org.ulfmj.testkit.junit;

import java.util.Random;

/** The test's side of a rank of a {@link SimulatedMpi} program. For the rank's thread only. */
public interface SimulatedRank {
    /** The seed of this run. */
    long seed();

    /**
     * Returns random numbers that follow from the seed. Each process of each rank has another sequence, which is the
     * same whenever the seed is run.
     */
    Random random();

    /**
     * Sets the result of this rank. The results that were set by ranks that finalize must be equal; arrays are compared
     * by content. A later call replaces the result of an earlier one.
     */
    void result(Object value);
}
