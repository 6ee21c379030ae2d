package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Locale;
import org.ulfmj.benchmarks.reproduce.Darter;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Figures;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;

/** The effect of a revocation on the time of the collectives after it. */
public final class RevokeDisturbance implements Experiment {
    private static final int COLLECTIVES = 5;
    private static final double UNDISTURBED = 1.01;

    @Override
    public String name() {
        return "revoke-disturbance";
    }

    @Override
    public String title() {
        return "the first, second and third collective after a revocation";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        int ranks = setting.size(6_000, 600);
        int initiator = setting.random("initiator").below(ranks);
        for (LogP costs : new LogP[] {Darter.costs(), new LogP(1_000, 1_000, 1_000, 0)}) {
            findings.add(row(ranks, initiator, costs));
        }
    }

    private static Row row(int ranks, int initiator, LogP costs) {
        double undisturbedNs = CollectivesAfterRevoke.undisturbed(ranks, COLLECTIVES, costs)[COLLECTIVES - 1];
        double[] after = CollectivesAfterRevoke.afterRevokeBy(initiator, ranks, COLLECTIVES, costs);
        double[] times = new double[3];
        for (int i = 0; i < times.length; i++) {
            times[i] = after[i] / undisturbedNs;
        }
        return Row.result(
                Figures.count(ranks) + " ranks, " + costs,
                "the first moderately slower, the second mildly, the third not",
                "slower by the order; the third within 1 % of one without a revocation",
                String.format(
                        Locale.ROOT,
                        "%.3f, %.3f, %.3f of %s",
                        times[0],
                        times[1],
                        times[2],
                        Figures.micros(undisturbedNs)),
                times[0] > times[1] && times[1] >= times[2] && times[2] <= UNDISTURBED);
    }
}
