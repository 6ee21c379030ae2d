package org.ulfmj.testkit.junit;

import java.util.function.Supplier;
import org.ulfmj.testkit.RankMain;

/** Runs a program in simulated time. The same arguments give the same run, if the program depends on nothing else. */
interface Simulator {
    /**
     * Runs a program to the end of all its ranks, until none of them can go on, or to a bound of the run.
     *
     * @param faults a plan as in {@link SimulatedMpi#faults}; the parts that it leaves open are drawn from the seed
     * @throws IllegalArgumentException if the plan cannot be read or does not fit this number of ranks; the message
     *     says why
     */
    SimulatedRun run(int ranks, long seed, String faults, RankMain main);

    /**
     * Runs a program some more times. Returns, in words, the first difference between the runs, if one was found.
     *
     * @param mains gives each run another main
     */
    String difference(int ranks, long seed, String faults, Supplier<RankMain> mains);
}
