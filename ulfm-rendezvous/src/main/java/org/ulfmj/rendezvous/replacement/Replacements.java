package org.ulfmj.rendezvous.replacement;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * Decides which process takes the place of one that failed: a spare, if one is left, else a process that is started
 * anew, while the rank has restarts left. A spare was started in advance, so it does not count as a restart. A start in
 * the place of a process that has left does not count either, since that process was taken from the job and did not
 * fail. Pure; used by one thread.
 */
public final class Replacements {
    /** Actions that are decided here and done by the launcher. */
    public interface Effects {
        /**
         * This process may join from now on. Called before the process is started, or before a spare is told of the
         * place.
         */
        void announce(ProcessId next);

        /** A spare takes this place. */
        void assign(int spare, ProcessId next);

        /** A process is started for this place. */
        void start(ProcessId next);

        /**
         * No process will take the place of this slot's process.
         *
         * @param why the words that follow "rank 2 is not started again: "
         */
        void refuse(int slot, String why);

        /** A line for the user. */
        void say(String line);
    }

    private static final double SECOND_NS = 1e9;
    private static final String UNCOUNTED = ", which does not count as a restart";

    private final ReplacementTerms terms;
    private final RestartBudget budget;
    private final Effects effects;

    /** Spares without a place, by number. The value is whether the spare is ready to take a place at once. */
    private final SortedMap<Integer, Boolean> idle = new TreeMap<>();

    /** Places that spares will take: the next spares that become ready take them, in this order. */
    private final Deque<ProcessId> promised = new ArrayDeque<>();

    /**
     * Places in {@link #promised} whose former process has left, so that a start for them does not count as a restart.
     */
    private final SortedSet<ProcessId> uncounted = new TreeSet<>();

    /** Places for which a process is to be started, each with the time of the start. */
    private final SortedMap<ProcessId, Long> scheduled = new TreeMap<>();

    /** Slots for which a replacement was refused. A slot is refused only once. */
    private final SortedSet<Integer> refused = new TreeSet<>();

    private boolean isStopped;

    public Replacements(ReplacementTerms terms, Effects effects) {
        this.terms = terms;
        this.budget = new RestartBudget(terms.ranks(), terms.restarts());
        this.effects = effects;
    }

    /** A spare was started. */
    public void spareStarted(int number) {
        idle.put(number, false);
    }

    /** The spare is ready to take a place at once. */
    public void spareReady(int number) {
        if (idle.replace(number, true) != null) {
            keepPromises();
        }
    }

    /** The spare has ended without a place. */
    public void spareEnded(int number, long nowNs) {
        if (idle.remove(number) != null && promised.size() > idle.size()) {
            restart(promised.removeLast(), nowNs);
        }
    }

    /** Whether a spare is left for another process that fails now. */
    public boolean hasSpare() {
        return !isStopped && promised.size() < idle.size();
    }

    /** Whether a process of this slot would be replaced if it failed now. */
    public boolean canReplace(int slot) {
        return hasSpare() || !isStopped && !budget.isUsedUp(slot);
    }

    /** Whether a process of any slot would be replaced if it left now, which does not count as a restart. */
    public boolean canReplaceUncounted() {
        return hasSpare() || !isStopped && terms.restarts() > 0;
    }

    /**
     * Handles a process that failed and has ended. Returns whether another process will take its place. If none will,
     * the slot is refused ({@link Effects#refuse}), unless it was before or {@link #stop} has ended all replacing.
     *
     * @param how it ended, for people: {@code rank 2 was killed by signal 9 (KILL)}
     */
    public boolean replace(ProcessId failed, String how, long nowNs) {
        return replace(failed, how, true, nowNs);
    }

    /**
     * As {@link #replace(ProcessId, String, long)}, for a process that failed or left.
     *
     * @param counts whether a start counts as a restart of the rank; false if the process has left
     */
    public boolean replace(ProcessId failed, String how, boolean counts, long nowNs) {
        ProcessId next = new ProcessId(failed.slot(), failed.incarnation() + 1);
        if (isStopped) {
            return false;
        }
        if (hasSpare()) {
            effects.announce(next);
            effects.say(how + "; a spare takes its place as " + next);
            promised.add(next);
            if (!counts) {
                uncounted.add(next);
            }
            keepPromises();
            return true;
        }
        if (counts ? budget.isUsedUp(failed.slot()) : terms.restarts() == 0) {
            refuse(failed.slot());
            return false;
        }
        effects.announce(next);
        if (!counts) {
            scheduled.put(next, nowNs);
            effects.say(how + "; starting it again as " + next + UNCOUNTED);
            return true;
        }
        long atNs = schedule(next, nowNs);
        effects.say(how + "; starting it again as " + next + when(atNs - nowNs) + count(next.slot()));
        return true;
    }

    /**
     * Handles a slot whose process failed but is not proven to be dead. The slot is filled only if the death is proven
     * later. If no replacement would be left even then, the slot is refused now.
     */
    public void replaceOnProof(int slot) {
        if (!isStopped && !canReplace(slot)) {
            refuse(slot);
        }
    }

    /** Refuses a replacement for a slot, because of the way in which its process has ended. */
    public void giveUp(int slot, String why) {
        if (!isStopped && refused.add(slot)) {
            effects.refuse(slot, why);
        }
    }

    private void refuse(int slot) {
        if (refused.add(slot)) {
            String why = whyNot(slot);
            if (terms.isAnyAllowed()) {
                effects.say("rank " + slot + " is not started again: " + why);
            }
            effects.refuse(slot, why);
        }
    }

    private String whyNot(int slot) {
        if (terms.restarts() > 0) {
            return "it has been started again " + times(budget.used(slot)) + ", as often as " + terms.restartsOption()
                    + " allows";
        }
        return terms.spares() > 0
                ? "no spare of " + terms.spares() + " is left, and there is no " + terms.restartsOption()
                : terms.noneBecause();
    }

    private void restart(ProcessId next, long nowNs) {
        if (uncounted.remove(next) && terms.restarts() > 0) {
            scheduled.put(next, nowNs);
            effects.say("the spare for rank " + next + " has ended; starting a process instead" + UNCOUNTED);
        } else if (budget.isUsedUp(next.slot())) {
            refuse(next.slot());
        } else {
            schedule(next, nowNs);
            effects.say("the spare for rank " + next + " has ended; starting a process instead" + count(next.slot()));
        }
    }

    private long schedule(ProcessId next, long nowNs) {
        long atNs = budget.take(next.slot(), nowNs);
        scheduled.put(next, atNs);
        return atNs;
    }

    private void keepPromises() {
        for (Map.Entry<Integer, Boolean> spare : new TreeMap<>(idle).entrySet()) {
            if (spare.getValue() && !promised.isEmpty()) {
                idle.remove(spare.getKey());
                ProcessId place = promised.remove();
                uncounted.remove(place);
                effects.assign(spare.getKey(), place);
            }
        }
    }

    /** Starts each process whose time has come. */
    public void tick(long nowNs) {
        for (Map.Entry<ProcessId, Long> place : new TreeMap<>(scheduled).entrySet()) {
            if (place.getValue() <= nowNs) {
                scheduled.remove(place.getKey());
                effects.start(place.getKey());
            }
        }
    }

    /** When {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
    public long deadlineNs() {
        long nextNs = Long.MAX_VALUE;
        for (long atNs : scheduled.values()) {
            nextNs = Math.min(nextNs, atNs);
        }
        return nextNs;
    }

    /**
     * Ends all replacing: no process is started or given a place any more, and each slot whose replacement was promised
     * or scheduled is refused.
     */
    public void stop(String why) {
        if (isStopped) {
            return;
        }
        SortedSet<Integer> slots = new TreeSet<>();
        for (ProcessId place : promised) {
            slots.add(place.slot());
        }
        for (ProcessId place : scheduled.keySet()) {
            slots.add(place.slot());
        }
        promised.clear();
        scheduled.clear();
        for (int slot : slots) {
            giveUp(slot, why);
        }
        isStopped = true;
    }

    private String count(int slot) {
        return " (" + budget.used(slot) + " of " + terms.restarts() + ")";
    }

    private static String when(long inNs) {
        return inNs <= 0 ? "" : String.format(Locale.ROOT, " in %.1f s", inNs / SECOND_NS);
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }
}
