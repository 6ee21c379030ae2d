package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;

/**
 * The states of single processes of a small world of replace() or grow(), as {@link LocalStates} holds those of other
 * worlds.
 */
final class ReplaceStates {
    static final int CRASHED = 0;
    static final int EXITED = 1;

    /**
     * The states of a newcomer that was not started: {@code NOT_STARTED} yet, or {@code NEVER_STARTED} if it never will
     * be.
     */
    static final int NOT_STARTED = 2;

    static final int NEVER_STARTED = 3;

    /** The lowest number of a state in which a process runs; all higher numbers are such states too. */
    static final int FIRST = 4;

    /** The effect of an event: the next state, the messages sent, and the broken property, or null if none is. */
    record Step(int next, List<Sent> sent, String broken) {}

    /** One message: the receiver and its number. */
    record Sent(ProcessId to, int message) {}

    /**
     * The history of a state: the state before it, or a negative number for the way in which the process began; the
     * event that led from there; and the newcomer's slot at that time.
     */
    private record Origin(int before, int event, int newcomerSlot) {}

    private final ReplaceSmall world;
    private final Fingerprint fingerprint = new Fingerprint();
    private final Map<Fingerprint.Row, Integer> numbers = new LinkedHashMap<>();
    private final List<ReplaceView> views = new ArrayList<>();
    private final List<Origin> origins = new ArrayList<>();
    private final Numbered<ControlMessage> messages = new Numbered<>();
    private final LongToInt stepNumbers = new LongToInt();
    private final List<Step> steps = new ArrayList<>();

    ReplaceStates(ReplaceSmall world) {
        this.world = world;
        for (int end = 0; end < FIRST; end++) {
            views.add(null);
            origins.add(null);
        }
    }

    /**
     * Returns the first state of a process, and the messages that it sends at once.
     *
     * @param start as in the constructor of {@link ReplaceSeat}
     */
    Step start(int start) {
        List<Sent> sent = new ArrayList<>();
        ReplaceSeat seat = new ReplaceSeat(world, start);
        seat.start(into(sent));
        return stepTo(seat, new Origin(-1 - start, 0, -1), sent);
    }

    /** @param newcomerSlot the slot of the newcomer, or −1 */
    Step step(int state, int event, int newcomerSlot) {
        long key = (long) state << 34 | (long) (newcomerSlot + 1) << 32 | event;
        int known = stepNumbers.get(key);
        if (known != LongToInt.UNKNOWN) {
            return steps.get(known);
        }
        Step step = run(state, event, newcomerSlot);
        stepNumbers.put(key, steps.size());
        steps.add(step);
        return step;
    }

    private Step run(int state, int event, int newcomerSlot) {
        ReplaceSeat seat = again(state);
        List<Sent> sent = new ArrayList<>();
        Origin origin = new Origin(state, event, newcomerSlot);
        try {
            run(seat, origin, into(sent));
        } catch (RuntimeException e) {
            return new Step(state, List.of(), e.toString());
        }
        return stepTo(seat, origin, sent);
    }

    private Step stepTo(ReplaceSeat seat, Origin origin, List<Sent> sent) {
        String broken = seat.broken();
        if (seat.wentAway() || broken != null) {
            return new Step(EXITED, List.copyOf(sent), broken);
        }
        Fingerprint.Row row = fingerprint.of(seat);
        Integer known = numbers.putIfAbsent(row, views.size());
        if (known != null) {
            return new Step(known, List.copyOf(sent), null);
        }
        views.add(seat.view());
        origins.add(origin);
        return new Step(views.size() - 1, List.copyOf(sent), null);
    }

    /** Makes a new process, and runs the events that lead to a state. */
    private ReplaceSeat again(int state) {
        List<Origin> history = new ArrayList<>();
        Origin at = origins.get(state);
        for (; at.before() >= 0; at = origins.get(at.before())) {
            history.add(at);
        }
        ReplaceSeat seat = new ReplaceSeat(world, -1 - at.before());
        Outbox<ProcessId, ControlMessage> nowhere = (to, message) -> {};
        seat.start(nowhere);
        for (int i = history.size() - 1; i >= 0; i--) {
            run(seat, history.get(i), nowhere);
        }
        return seat;
    }

    private void run(ReplaceSeat seat, Origin origin, Outbox<ProcessId, ControlMessage> out) {
        ReplaceEvent event = ReplaceEvent.of(origin.event());
        ProcessId newcomer = origin.newcomerSlot() < 0 ? null : world.newcomer(origin.newcomerSlot());
        boolean brings = event.what() == ReplaceEvent.What.GETS;
        seat.run(event, newcomer, brings ? messages.value(event.detail()) : null, out);
    }

    /**
     * Collects the messages of a step, without those of the failure detector: the search finds no failure by silence,
     * and a death is told by an event LEARNS.
     */
    private Outbox<ProcessId, ControlMessage> into(List<Sent> sent) {
        return (to, message) -> {
            if (message instanceof ControlMessage.Detector) {
                return;
            }
            int number = messages.number(message);
            if (number >= ReplaceEvent.DETAILS) {
                throw new IllegalStateException("more than " + ReplaceEvent.DETAILS + " different messages");
            }
            sent.add(new Sent(to, number));
        };
    }

    ReplaceView view(int state) {
        return views.get(state);
    }

    ControlMessage message(int number) {
        return messages.value(number);
    }
}
