package org.ulfmj.check.detector;

import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Violation;

/**
 * Invariant on the cost of the ring: a process sends heartbeats in rounds that are at least a period apart, in a round
 * at most one to each process; and to the sender of an OBSERVE or PROBE at most one more for each such message.
 */
public final class HeartbeatsAreFew implements Invariant {
    /** The count of one process's heartbeats. */
    private static final class Account {
        final SortedSet<ProcessId> beaten = new TreeSet<>();
        long roundNs = -Pace.TIMING.heartbeatPeriodNs();
        ProcessId asker;
    }

    private final Account[] accounts;

    public HeartbeatsAreFew(int size) {
        accounts = new Account[size];
        for (int i = 0; i < size; i++) {
            accounts[i] = new Account();
        }
    }

    /**
     * A process begins a step.
     *
     * @param asker the sender if the step handles an OBSERVE or a PROBE, else null
     */
    public void stepBegins(int node, ProcessId asker) {
        accounts[node].asker = asker;
    }

    /**
     * A process sends a heartbeat.
     *
     * @param clockNs the time of that by the clock of the sender
     */
    public void beats(int node, ProcessId to, long clockNs) {
        Account account = accounts[node];
        if (to.equals(account.asker)) {
            account.asker = null;
            return;
        }
        if (clockNs != account.roundNs) {
            if (clockNs - account.roundNs < Pace.TIMING.heartbeatPeriodNs()) {
                throw new Violation(name() + ": process " + node + " beats for " + to + " "
                        + (clockNs - account.roundNs) / 1_000 + " µs after its last round of beats");
            }
            account.roundNs = clockNs;
            account.beaten.clear();
        }
        if (!account.beaten.add(to)) {
            throw new Violation(name() + ": process " + node + " beats twice for " + to + " in one round");
        }
    }
}
