package org.ulfmj.testkit.sim;

import java.util.List;
import java.util.function.IntBinaryOperator;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.testkit.sim.fault.SimFault;

/**
 * The inputs of a run besides the program.
 *
 * @param joiners processes that join once the world runs
 * @param restarts how often each rank may be started again
 * @param hosts the number of the host of a process, by its rank and incarnation
 * @param faults drawn from the seed
 * @param doesInputLie whether input lies unread for a short time while its rank is in no wait
 * @param timeoutNs bound of virtual time
 * @param realTimeoutNs bound of real time
 * @param mostEvents bound of events
 */
record SimPlan(
        int ranks,
        int joiners,
        int restarts,
        IntBinaryOperator hosts,
        long seed,
        RankSettings settings,
        List<SimFault> faults,
        String initialErrorHandler,
        boolean deathsAreTold,
        boolean doesInputLie,
        long timeoutNs,
        long realTimeoutNs,
        long mostEvents) {
    /** The slots of a run: no process that joins gets more than one. */
    int slots() {
        return ranks + joiners;
    }
}
