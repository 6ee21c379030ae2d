package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * Counts a rank's own calls, and says when a call is the point at which a trigger is to kill the rank. Under the engine
 * lock.
 */
public final class FaultPoints {
    private final List<FaultTrigger> pending;
    private final Map<String, Long> calls = new HashMap<>();

    public FaultPoints(List<FaultTrigger> triggers) {
        pending = new ArrayList<>(triggers);
    }

    /** Counts a call. Returns the number of the rule whose point is reached, or −1. */
    public int onCall(String operation) {
        String name = operation.toLowerCase(Locale.ROOT);
        long ofName = calls.merge(name, 1L, Long::sum);
        long ofAny = calls.merge(FaultTrigger.ANY_OPERATION, 1L, Long::sum);
        for (FaultTrigger trigger : pending) {
            if (trigger.operation().equals(name) && trigger.count() == ofName
                    || trigger.operation().equals(FaultTrigger.ANY_OPERATION) && trigger.count() == ofAny) {
                pending.remove(trigger);
                return trigger.rule();
            }
        }
        return -1;
    }

    /** Counts a passage of a named point. Returns the number of the rule whose point is reached, or −1. */
    public int onPoint(String name) {
        return onNamed(FaultTrigger.atPoint(name));
    }

    /**
     * Counts a passage of a place in the recovery mode's replay. Returns the number of the rule whose point is reached,
     * or −1.
     */
    public int onPosition(long version, long sequence) {
        return onNamed(FaultTrigger.atPosition(version, sequence));
    }

    private int onNamed(String name) {
        long passages = calls.merge(name, 1L, Long::sum);
        for (FaultTrigger trigger : pending) {
            if (trigger.operation().equals(name) && trigger.count() == passages) {
                pending.remove(trigger);
                return trigger.rule();
            }
        }
        return -1;
    }

    /** Notes that the program is at an iteration. Returns the number of the rule whose point is reached, or −1. */
    public int onIteration(int level) {
        for (FaultTrigger trigger : pending) {
            if (trigger.operation().equals(FaultTrigger.ITERATION) && trigger.count() == level) {
                pending.remove(trigger);
                return trigger.rule();
            }
        }
        return -1;
    }
}
