package org.ulfmj.check.rendezvous.hosts;

/**
 * Three hosts, or two if there are only two ranks. Two of three lose the path to each other, in one direction or both,
 * and each of the two keeps its path to the launcher's host.
 */
public final class CutHostsScenario extends SmallHostsWorld {
    public CutHostsScenario() {
        super(
                "hosts-cut",
                3,
                (faults, random) ->
                        faults.cut(1 % faults.job().hosts(), faults.job().hosts() - 1, random.chance(50), 0));
    }
}
