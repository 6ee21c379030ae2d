package org.ulfmj.check.rendezvous.hosts;

/** Two hosts, of which one loses the path to the launcher for good. */
public final class LostHostScenario extends SmallHostsWorld {
    public LostHostScenario() {
        super("hosts-off", 2, (faults, random) -> faults.cut(0, 1, random.chance(50), 0));
    }
}
