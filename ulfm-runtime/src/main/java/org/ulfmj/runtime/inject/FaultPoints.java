package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * Counts a rank's own calls, and says when a call is the point of a trigger. Several triggers may have the same point:
 * each call of a method returns one of their rules, so it is to be called again until none is left. Under the engine
 * lock.
 */
public final class FaultPoints {
    /** Returned if no rule's point is reached. */
    public static final int NONE = -1;

    private final List<FaultTrigger> pending;
    private final Map<String, Long> calls = new HashMap<>();
    /** Triggers of the present call that wait for its middle or its end. */
    private final List<FaultTrigger> armed = new ArrayList<>();

    /** Rules whose point was reached together with another one. */
    private final List<Integer> together = new ArrayList<>();

    public FaultPoints(List<FaultTrigger> triggers) {
        pending = new ArrayList<>(triggers);
    }

    /** Counts a call. Returns the number of the rule whose point is reached, or {@link #NONE}. */
    public int onCall(String operation) {
        // A call that did not take the engine's lock has ended unseen.
        armed.forEach(trigger -> together.add(trigger.rule()));
        armed.clear();
        String name = operation.toLowerCase(Locale.ROOT);
        long ofName = calls.merge(name, 1L, Long::sum);
        long ofAny = calls.merge(FaultTrigger.ANY_OPERATION, 1L, Long::sum);
        for (FaultTrigger trigger : List.copyOf(pending)) {
            String wanted = trigger.operation();
            int slash = wanted.indexOf('/');
            String wantedName = slash < 0 ? wanted : wanted.substring(0, slash);
            if (wantedName.equals(name) && trigger.count() == ofName
                    || wantedName.equals(FaultTrigger.ANY_OPERATION) && trigger.count() == ofAny) {
                pending.remove(trigger);
                if (slash < 0) {
                    together.add(trigger.rule());
                } else {
                    armed.add(trigger);
                }
            }
        }
        return next();
    }

    /** The present call begins to wait. Returns the number of the rule whose point is reached, or {@link #NONE}. */
    public int onWait() {
        takeArmed(FaultTrigger.MID);
        return next();
    }

    /** The present call has done its work. Returns the number of the rule whose point is reached, or {@link #NONE}. */
    public int onExit() {
        takeArmed("");
        return next();
    }

    private void takeArmed(String part) {
        for (int i = 0; i < armed.size(); ) {
            if (armed.get(i).operation().endsWith(part)) {
                together.add(armed.remove(i).rule());
            } else {
                i++;
            }
        }
    }

    /** Returns a further rule whose point was reached at the same time, or {@link #NONE}. */
    public int next() {
        return together.isEmpty() ? NONE : together.remove(0);
    }

    /** Counts a passage of a named point. Returns the number of the rule whose point is reached, or {@link #NONE}. */
    public int onPoint(String name) {
        return onNamed(FaultTrigger.atPoint(name));
    }

    /**
     * Counts a passage of a place in the recovery mode's replay. Returns the number of the rule whose point is reached,
     * or {@link #NONE}.
     */
    public int onPosition(long version, long sequence) {
        return onNamed(FaultTrigger.atPosition(version, sequence));
    }

    private int onNamed(String name) {
        return onNumbered(name, calls.merge(name, 1L, Long::sum));
    }

    /**
     * Notes that the program is at an iteration. Returns the number of the rule whose point is reached, or
     * {@link #NONE}.
     */
    public int onIteration(int level) {
        return onNumbered(FaultTrigger.ITERATION, level);
    }

    private int onNumbered(String name, long number) {
        for (FaultTrigger trigger : List.copyOf(pending)) {
            if (trigger.operation().equals(name) && trigger.count() == number) {
                pending.remove(trigger);
                together.add(trigger.rule());
            }
        }
        return next();
    }
}
