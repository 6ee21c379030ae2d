package org.ulfmj.check.survivor.invariant;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * A simple agreement for comparison: rounds in which every process sends its estimate to every process. A process
 * <em>knows</em> once it has heard from a process that knows, or if in round r at least n − r + 1 processes have
 * stopped before or are heard from in that round: in at least one round then no process failed. It stops after it has
 * told that it knows. All processes that stop, dead or alive, hold the same value. The agreement takes at most f + 2
 * rounds, f being the number of deaths, and n² messages per round, so it serves only as an oracle.
 *
 * <p>Synchronous: a message of a round arrives in that round, or its sender died in the middle of sending.
 *
 * @param <T> the value that is agreed on; combining values must be commutative, associative and idempotent
 */
final class EarlyTerminatingOracle<T> {
    /**
     * The death of a process in a round, after it has sent to {@code told} of the others, in the order of their
     * numbers.
     */
    record Death(int process, int round, int told) {}

    private final BinaryOperator<T> combine;
    private int rounds;

    EarlyTerminatingOracle(BinaryOperator<T> combine) {
        this.combine = combine;
    }

    /** How many rounds the last agreement took. */
    int rounds() {
        return rounds;
    }

    /** Returns the value of each process that has stopped, by its number. */
    SortedMap<Integer, T> decide(SortedMap<Integer, T> inputs, List<Death> deaths) {
        int size = inputs.size();
        SortedMap<Integer, T> estimates = new TreeMap<>(inputs);
        SortedSet<Integer> know = new TreeSet<>();
        SortedSet<Integer> active = new TreeSet<>(inputs.keySet());
        SortedMap<Integer, T> decided = new TreeMap<>();
        for (rounds = 1; !active.isEmpty(); rounds++) {
            SortedMap<Integer, T> sent = new TreeMap<>(estimates);
            SortedSet<Integer> knewBefore = new TreeSet<>(know);
            SortedMap<Integer, List<Integer>> heard = exchange(active, deaths);
            for (int receiver : active) {
                int receipts = decided.size();
                for (int sender : heard.get(receiver)) {
                    receipts++;
                    estimates.merge(receiver, sent.get(sender), combine);
                    if (knewBefore.contains(sender)) {
                        know.add(receiver);
                    }
                }
                if (receipts >= size - rounds + 1) {
                    know.add(receiver);
                }
            }
            for (int process : new ArrayList<>(active)) {
                if (knewBefore.contains(process)) {
                    decided.put(process, estimates.get(process));
                    active.remove(process);
                }
            }
        }
        rounds--;
        return decided;
    }

    /**
     * Carries out a round. Returns, by receiver, the senders whose message reached it. Processes that die in the round
     * are removed from {@code active}.
     */
    private SortedMap<Integer, List<Integer>> exchange(SortedSet<Integer> active, List<Death> deaths) {
        SortedMap<Integer, List<Integer>> heard = new TreeMap<>();
        active.forEach(process -> heard.put(process, new ArrayList<>()));
        List<Integer> dying = new ArrayList<>();
        for (int sender : active) {
            int left = Integer.MAX_VALUE;
            for (Death death : deaths) {
                if (death.process() == sender && death.round() == rounds) {
                    left = death.told();
                    dying.add(sender);
                }
            }
            for (int receiver : active) {
                if (receiver == sender || left-- > 0) {
                    heard.get(receiver).add(sender);
                }
            }
        }
        active.removeAll(dying);
        return heard;
    }
}
