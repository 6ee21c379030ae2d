package org.ulfmj.testkit.junit;

import java.util.function.Supplier;
import org.ulfmj.testkit.RankMain;

/** What runs a program in simulated time: the same arguments, the same run. */
interface Simulator {
    /**
     * Runs a program to the end of all its ranks, or until none of them can go on.
     *
     * @param faults a plan as in {@link SimulatedMpi#faults}; what it leaves open is drawn from the seed
     * @throws IllegalArgumentException if the plan is none for this many ranks; the message says why
     */
    SimulatedRun run(int ranks, long seed, String faults, RankMain main);

    /**
     * Runs it some more times and says in what the runs differ first.
     *
     * @param mains gives each run its own main
     */
    String difference(int ranks, long seed, String faults, Supplier<RankMain> mains);
}
