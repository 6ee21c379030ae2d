package org.ulfmj.check.rendezvous.hosts;

/** Two hosts, one of which loses its power: its agent and its ranks end at once. */
public final class PowerlessHostScenario extends SmallHostsWorld {
    public PowerlessHostScenario() {
        super("hosts-power", 2, (faults, random) -> faults.powerOff(1));
    }
}
