package org.ulfmj.check.rendezvous.hosts;

/** Two hosts. The path between them breaks for good, in both directions or only in that from the launcher's host. */
public final class LostHostScenario extends SmallHostsWorld {
    public LostHostScenario() {
        super("hosts-off", 2, (faults, random) -> faults.cut(0, 1, random.chance(50), 0));
    }
}
