package org.ulfmj.check.rendezvous.hosts;

/**
 * Two hosts, of which one is stopped, loses the path to the launcher, and is reached again before its agent has ended.
 */
public final class ReturningHostScenario extends SmallHostsWorld {
    public ReturningHostScenario() {
        super("hosts-back", 2, (faults, random) -> {
            faults.job().ranks().forEach(rank -> {
                if (rank.host == 1) {
                    faults.stop(rank, 0);
                }
            });
            faults.cut(0, 1, true, random.between(2 * TIMEOUT_NS, 5 * TIMEOUT_NS / 2));
        });
    }
}
