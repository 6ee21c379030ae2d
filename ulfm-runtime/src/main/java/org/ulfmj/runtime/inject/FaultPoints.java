package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * Counts the calls and other points that this rank passes, and says when one of them is the point of a trigger of a
 * planned fault. Several triggers may have the same point: each method returns one of their rules, and {@link #next}
 * returns the others until none is left. Under the engine lock.
 */
public final class FaultPoints {
    /** Returned if no rule's point is reached. */
    public static final int NONE = -1;

    private final List<FaultTrigger> pending;
    private final Map<String, Long> calls = new HashMap<>();
    /** Triggers of faults that come in the middle or at the end of the present call. */
    private final List<FaultTrigger> armed = new ArrayList<>();

    /** The numbers of rules whose points were reached, and which no method has returned yet. */
    private final List<Integer> together = new ArrayList<>();

    public FaultPoints(List<FaultTrigger> triggers) {
        pending = new ArrayList<>(triggers);
    }

    /** Counts a call of the program. Returns the number of a rule whose point is reached, or {@link #NONE}. */
    public int onCall(String operation) {
        // The call before did not take the engine's lock again, so its end was not seen: its triggers count as reached
        // now.
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

    /**
     * Notes that the present call begins to wait. Returns the number of the rule whose point is reached, or
     * {@link #NONE}.
     */
    public int onWait() {
        takeArmed(FaultTrigger.MID);
        return next();
    }

    /**
     * Notes that the present call is about to release the engine lock. Returns the number of the rule whose point is
     * reached, or {@link #NONE}.
     */
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
     * Counts a passage of a place in the recovery mode: a call, by the number of checkpoints before it and its number
     * since. Returns the number of the rule whose point is reached, or {@link #NONE}.
     */
    public int onPosition(long version, long sequence) {
        return onNamed(FaultTrigger.atPosition(version, sequence));
    }

    private int onNamed(String name) {
        return onNumbered(name, calls.merge(name, 1L, Long::sum));
    }

    /**
     * Notes that the program has reached an iteration. Returns the number of the rule whose point is reached, or
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
