package org.ulfmj.testkit.sim;

import java.util.List;
import java.util.Map;
import org.ulfmj.runtime.FaultTrigger;
import org.ulfmj.runtime.RankSettings;

/**
 * All that a run follows from, besides the program.
 *
 * @param timeoutNs bound of virtual time
 * @param realTimeoutNs bound of real time
 * @param mostEvents bound of events
 */
record SimPlan(
        int ranks,
        long seed,
        RankSettings settings,
        Map<Integer, List<FaultTrigger>> triggers,
        String initialErrorHandler,
        boolean deathsAreTold,
        long timeoutNs,
        long realTimeoutNs,
        long mostEvents) {

    RankSettings settingsOf(int slot) {
        List<FaultTrigger> ofSlot = triggers.get(slot);
        return ofSlot == null ? settings : settings.withTriggers(ofSlot);
    }
}
