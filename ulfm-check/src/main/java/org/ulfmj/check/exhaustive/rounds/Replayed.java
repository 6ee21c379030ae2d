package org.ulfmj.check.exhaustive.rounds;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.check.exhaustive.Fingerprint;

/**
 * The states of one part of a world, the launcher or a process, by number. What a part does follows from its own state
 * and the event alone, so each pair of a state and an event is tried once; to go on from a state, its history is run
 * again.
 *
 * @param <P> the type of the part
 */
final class Replayed<P extends Replayed.Part> {
    /** A part of a world, the launcher or a process: shipped objects, and what the search has to know of them. */
    interface Part {
        /** Handles an event, and adds the numbers of the messages that it sends to the list. */
        void take(int event, List<Integer> sent);
    }

    /** Makes a part in its first state. */
    interface Maker<P> {
        P make();
    }

    /** The outcome of an event: the number of the next state, and the numbers of the messages that were sent. */
    record Step(int next, int[] sent) {}

    private final Maker<P> maker;
    private final Fingerprint fingerprint = new Fingerprint(() -> 0L);
    private final Map<Fingerprint.Row, Integer> numbers = new LinkedHashMap<>();
    private final List<P> parts = new ArrayList<>();
    private final List<int[]> histories = new ArrayList<>();
    private final Map<Long, Step> steps = new LinkedHashMap<>();

    Replayed(Maker<P> maker) {
        this.maker = maker;
        add(maker.make(), new int[0]);
    }

    /** The part in the state with this number, to be looked at only: it must not be given events. */
    P part(int state) {
        return parts.get(state);
    }

    int size() {
        return parts.size();
    }

    Step step(int state, int event) {
        long key = (long) state << 32 | event;
        Step known = steps.get(key);
        if (known == null) {
            known = run(state, event);
            steps.put(key, known);
        }
        return known;
    }

    private Step run(int state, int event) {
        P part = maker.make();
        int[] before = histories.get(state);
        List<Integer> sent = new ArrayList<>();
        for (int earlier : before) {
            part.take(earlier, sent);
        }
        sent.clear();
        part.take(event, sent);
        int[] history = java.util.Arrays.copyOf(before, before.length + 1);
        history[before.length] = event;
        return new Step(
                add(part, history), sent.stream().mapToInt(Integer::intValue).toArray());
    }

    private int add(P part, int[] history) {
        Fingerprint.Row row = fingerprint.of(part);
        Integer known = numbers.putIfAbsent(row, parts.size());
        if (known != null) {
            return known;
        }
        parts.add(part);
        histories.add(history);
        return parts.size() - 1;
    }
}
