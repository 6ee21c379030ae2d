package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * The states of single ranks, and the step that each event makes from each of them.
 *
 * <p>A core is deterministic: the behaviour of a rank follows from its state and the event alone. So each pair of a
 * state and an event is tried once, however many states of the whole world contain that pair. A state is stored as the
 * number of the state before it and the event that led from there. To go on from a state, its short history is run
 * again. Two histories that lead to the same {@link Fingerprint} are one state.
 */
final class LocalStates {
    /**
     * The states of ranks that have ended and do nothing any more: {@code CRASHED}, {@code FENCED} and {@code EXITED}.
     */
    static final int CRASHED = 0;

    static final int FENCED = 1;
    static final int EXITED = 2;

    /**
     * The effect of an event on one rank.
     *
     * @param next the number of the rank's state after it; that before it if an exception broke the property
     * @param to receivers of the messages that the rank sends, in order
     * @param messages the numbers of those messages
     * @param broken the property that the event breaks, or null
     */
    record Step(int next, int[] to, int[] messages, String broken) {}

    private final World world;
    private final Membership membership;
    private final Fingerprint fingerprint = new Fingerprint();
    private final Map<Fingerprint.Row, Integer> numbers = new LinkedHashMap<>();
    private final List<View> views = new ArrayList<>();
    private final Numbered<Facts> facts = new Numbered<>();
    private final Numbered<ControlMessage> messages = new Numbered<>();
    private final LongToInt stepNumbers = new LongToInt();
    private final List<Step> steps = new ArrayList<>();
    private final LongToInt settled = new LongToInt();

    private int[] before = new int[1024];
    private int[] lastEvent = new int[1024];
    private int[] factsNumber = new int[1024];

    LocalStates(World world) {
        this.world = world;
        this.membership = world.membership();
        addEnd(Facts.Status.CRASHED);
        addEnd(Facts.Status.FENCED);
        addEnd(Facts.Status.EXITED);
    }

    private void addEnd(Facts.Status status) {
        Facts ended = new Facts(
                status,
                SlotSet.EMPTY,
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeSet<>(),
                new TreeMap<>(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeSet<>(),
                true,
                false,
                null,
                new TreeSet<>());
        View view = new View(null, ended, SlotSet.EMPTY, SlotSet.EMPTY, new TreeSet<>(), false, new int[0]);
        add(new Fingerprint.Row(new int[] {status.ordinal()}), view, -1, 0);
    }

    /** Returns the first state of a rank, and the messages that it sends at once. */
    Step start(int slot) {
        Sent sent = new Sent();
        ExhaustiveRank rank = new ExhaustiveRank(slot, membership);
        rank.start(world, membership, sent);
        return stepTo(rank, -1 - slot, 0, sent);
    }

    Step step(int state, int event) {
        long key = (long) state << 32 | event;
        int known = stepNumbers.get(key);
        if (known != LongToInt.UNKNOWN) {
            return steps.get(known);
        }
        Step step = run(state, event);
        stepNumbers.put(key, steps.size());
        steps.add(step);
        return step;
    }

    private Step run(int state, int event) {
        if (LocalEvent.of(event).what() == LocalEvent.What.EXITS) {
            return new Step(EXITED, new int[0], new int[0], null);
        }
        ExhaustiveRank rank = again(state);
        Sent sent = new Sent();
        try {
            run(rank, event, sent);
        } catch (RuntimeException e) {
            return new Step(state, new int[0], new int[0], e.toString());
        }
        return stepTo(rank, state, event, sent);
    }

    private Step stepTo(ExhaustiveRank rank, int state, int event, Sent sent) {
        int[] to = Arrays.copyOf(sent.to, sent.count);
        int[] numbersSent = Arrays.copyOf(sent.messages, sent.count);
        if (rank.core().isFenced()) {
            return new Step(FENCED, to, numbersSent, null);
        }
        Fingerprint.Row row = fingerprint.of(rank);
        Integer known = numbers.get(row);
        if (known != null) {
            return new Step(known, to, numbersSent, null);
        }
        return new Step(add(row, rank.view(world), state, event), to, numbersSent, rank.broken());
    }

    private int add(Fingerprint.Row row, View view, int from, int event) {
        int number = views.size();
        if (number == before.length) {
            before = Arrays.copyOf(before, 2 * number);
            lastEvent = Arrays.copyOf(lastEvent, 2 * number);
            factsNumber = Arrays.copyOf(factsNumber, 2 * number);
        }
        numbers.put(row, number);
        views.add(view);
        before[number] = from;
        lastEvent[number] = event;
        factsNumber[number] = facts.number(view.facts());
        return number;
    }

    /** Makes a new rank, and runs the events that lead to a state. */
    private ExhaustiveRank again(int state) {
        int depth = 0;
        int at = state;
        for (; before[at] >= 0; at = before[at]) {
            depth++;
        }
        int[] events = new int[depth];
        int slot = -1 - before[at];
        for (int back = state; before[back] >= 0; back = before[back]) {
            events[--depth] = lastEvent[back];
        }
        Sent nowhere = new Sent();
        ExhaustiveRank rank = new ExhaustiveRank(slot, membership);
        rank.start(world, membership, nowhere);
        for (int event : events) {
            run(rank, event, nowhere);
        }
        return rank;
    }

    private void run(ExhaustiveRank rank, int code, Sent sent) {
        LocalEvent event = LocalEvent.of(code);
        ControlMessage message = event.what() == LocalEvent.What.GETS ? messages.value(event.detail()) : null;
        rank.run(world, event, message, sent);
    }

    View view(int state) {
        return views.get(state);
    }

    /**
     * Returns the number of the facts about a rank in a state. States with the same number look the same to the
     * properties.
     */
    int factsNumber(int state) {
        return factsNumber[state];
    }

    Facts facts(int number) {
        return facts.value(number);
    }

    ControlMessage message(int number) {
        return messages.value(number);
    }

    /** The answer of {@link View#isSettled} in a state: whether a message will certainly do nothing. It is cached. */
    boolean isSettled(int state, int from, boolean senderEnded, int message) {
        long key = (long) state << 28 | (long) from << 24 | (senderEnded ? 1L << 23 : 0) | message;
        int known = settled.get(key);
        if (known == LongToInt.UNKNOWN) {
            known = view(state).isSettled(from, senderEnded, messages.value(message)) ? 1 : 0;
            settled.put(key, known);
        }
        return known == 1;
    }

    int count() {
        return views.size();
    }

    int steps() {
        return steps.size();
    }

    /** Collects the messages of a step. */
    private final class Sent implements Outbox<ProcessId, ControlMessage> {
        private int[] to = new int[16];
        private int[] messages = new int[16];
        private int count;

        @Override
        public void send(ProcessId receiver, ControlMessage message) {
            boolean isFrame = message instanceof ControlMessage.Detector detector
                    && detector.message() instanceof DetectorMessage.Obituary;
            if (isFrame && !world.framesTravel()) {
                return;
            }
            if (count == to.length) {
                to = Arrays.copyOf(to, 2 * count);
                messages = Arrays.copyOf(messages, 2 * count);
            }
            to[count] = receiver.slot();
            int number = LocalStates.this.messages.number(message);
            if (number >= LocalEvent.DETAILS) {
                throw new IllegalStateException(
                        "world " + world.name() + " has more than " + LocalEvent.DETAILS + " different messages");
            }
            messages[count++] = number;
        }
    }
}
