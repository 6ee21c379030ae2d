package org.ulfmj.check.rendezvous.hosts;

/**
 * Three hosts, of which two lose the path to each other for good, in one direction or both, and each of the two keeps
 * its path to the launcher's host. If there are only two ranks, there are two hosts, and no path breaks.
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
