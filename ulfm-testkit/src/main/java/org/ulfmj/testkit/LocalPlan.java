package org.ulfmj.testkit;

import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.options.RankSettings;

/**
 * The description of a {@link LocalWorld}, as given before it is run.
 *
 * @param joiners how many processes join once the world runs, without a rank
 * @param restarts how often each rank may be started again, starts after a preemption not counted
 * @param hosts the number of the host of a process, by its rank and incarnation
 * @param triggers by rank
 * @param initialErrorHandler its name; null if the user named none
 * @param deathsAreTold whether the launcher learns of each death as it comes, and tells the ranks; if not, it tells
 *     only of processes that it judged silent
 * @param timeoutNs bound of the run, from the time when all ranks of the first world are started
 */
record LocalPlan(
        int ranks,
        int joiners,
        int restarts,
        IntBinaryOperator hosts,
        RankSettings settings,
        Map<Integer, List<FaultTrigger>> triggers,
        String initialErrorHandler,
        boolean deathsAreTold,
        long timeoutNs) {
    /** The most members that the world may have. */
    int most() {
        return ranks + joiners;
    }
}
