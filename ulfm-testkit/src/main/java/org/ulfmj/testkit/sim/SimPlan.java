package org.ulfmj.testkit.sim;

import java.util.List;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.testkit.sim.fault.SimFault;

/**
 * The inputs of a run besides the program. They determine the run.
 *
 * @param restarts how often each rank may be started again
 * @param faults drawn from the seed
 * @param doesInputLie whether input lies unread while its rank is in no wait, until the engine works next
 * @param timeoutNs bound of virtual time
 * @param realTimeoutNs bound of real time
 * @param mostEvents bound of events
 */
record SimPlan(
        int ranks,
        int restarts,
        long seed,
        RankSettings settings,
        List<SimFault> faults,
        String initialErrorHandler,
        boolean deathsAreTold,
        boolean doesInputLie,
        long timeoutNs,
        long realTimeoutNs,
        long mostEvents) {}
