package org.ulfmj.check.rendezvous.hosts;

/**
 * Two hosts. The ranks of one are stopped, and it loses the path to the launcher; it is reached again before its agent
 * has ended.
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
