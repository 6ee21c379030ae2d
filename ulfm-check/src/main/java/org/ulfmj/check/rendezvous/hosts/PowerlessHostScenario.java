package org.ulfmj.check.rendezvous.hosts;

/** Two hosts, of which one loses its power. */
public final class PowerlessHostScenario extends SmallHostsWorld {
    public PowerlessHostScenario() {
        super("hosts-power", 2, (faults, random) -> faults.powerOff(1));
    }
}
