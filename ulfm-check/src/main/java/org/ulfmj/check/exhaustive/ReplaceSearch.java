package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.protocol.ProcessId;

/**
 * Visits the states of a small world of replace() or grow(), those with the fewest events before them first, up to the
 * first broken property, as {@link Explorer} does for worlds without newcomers. There are four seats: three ranks, and
 * the newcomer, whose slot the launcher chooses in a world of replace(). The launcher is not simulated: what it does
 * are events, such as the start of the newcomer, and the news of the newcomer, of a death, and that no process comes.
 *
 * <p>The first new world that any process returned into, or was told of, is part of the state. So if a process has seen
 * a world and died, the live ones must not come to a different one.
 */
final class ReplaceSearch {
    private static final int SEATS = ReplaceSmall.RANKS + 1;
    private static final int NEWCOMER = ReplaceSeat.NEWCOMER;

    /** The slot of the newcomer as long as none was started. */
    private static final int NO_SLOT = -1;

    /**
     * A state of the world. Row r has, at index s, the content of the link from seat s to seat r, and at index r the
     * state of the process in seat r itself.
     */
    private final class State {
        private final int[][] seats = new int[SEATS][SEATS];
        private int newcomerSlot = NO_SLOT;
        /** The number of the new world in {@code worlds}, plus 1; 0 while there is none. */
        private int settled;

        void copy(State other) {
            for (int seat = 0; seat < SEATS; seat++) {
                System.arraycopy(other.seats[seat], 0, seats[seat], 0, SEATS);
            }
            newcomerSlot = other.newcomerSlot;
            settled = other.settled;
        }

        int of(int seat) {
            return seats[seat][seat];
        }

        boolean isRunning(int seat) {
            return of(seat) >= ReplaceStates.FIRST;
        }

        ProcessId process(int seat) {
            return seat == NEWCOMER ? world.newcomer(newcomerSlot) : ProcessId.of(seat);
        }
    }

    private final ReplaceSmall world;
    private final long limit;
    private final ReplaceStates local;
    private final Channels channels = new Channels();
    private final Numbered<Admission> worlds = new Numbered<>();
    private final LongTable pairs = new LongTable();
    private final LongTable states = new LongTable();
    private final Edges edges = new Edges();
    private final State at = new State();
    private final State next = new State();

    /**
     * Per state, the state from which it was first reached, −1 for the first state; the next two arrays have the seat
     * and the event that led to it.
     */
    private int[] parents = new int[1 << 10];

    private int[] lastSeat = new int[1 << 10];
    private int[] lastEvent = new int[1 << 10];

    /** Per state, after how many messages of its last event the process died; −1 if it did not die within it. */
    private int[] lastCut = new int[1 << 10];

    private int from;
    private long transitions;
    private long quiet;
    private final SortedMap<ReplaceEnd, Long> ends = new TreeMap<>();
    private String broken;
    private final List<String> story = new ArrayList<>();

    ReplaceSearch(ReplaceSmall world, long limit) {
        this.world = world;
        this.limit = limit;
        this.local = new ReplaceStates(world);
    }

    /**
     * Visits the states, up to the first broken property. Returns that property; null if every state was visited and
     * none is broken. Throws if there are too many states.
     */
    String run() {
        begin();
        for (from = 0; broken == null && from < states.size(); from++) {
            read(from);
            long before = transitions;
            boolean isQuiet = goOn();
            if (broken == null && isQuiet) {
                quiet++;
                ends.merge(endOf(), 1L, Long::sum);
                broken = hanging();
                tell(from, "");
            }
            if (broken == null && transitions == before && !isQuiet) {
                throw new IllegalStateException("a state that is not quiet has no next one");
            }
            if (states.size() > limit) {
                throw new IllegalStateException("world " + world + " has more than " + limit + " states");
            }
        }
        int comesAgain = broken == null ? edges.stateOfACycle(states.size()) : -1;
        if (comesAgain >= 0) {
            broken = "processes can go on for ever without getting anywhere";
            tell(comesAgain, "");
        }
        return broken;
    }

    long states() {
        return states.size();
    }

    long transitions() {
        return transitions;
    }

    long quiet() {
        return quiet;
    }

    /** Returns the number of quiet states that were found of each kind. */
    SortedMap<ReplaceEnd, Long> ends() {
        return Collections.unmodifiableSortedMap(ends);
    }

    private ReplaceEnd endOf() {
        if (at.settled == 0) {
            return ReplaceEnd.NOT_REPLACED;
        }
        Admission admission = worlds.value(at.settled - 1);
        if (at.newcomerSlot == NO_SLOT) {
            boolean isWhole = admission.membership().size() == ReplaceSmall.RANKS;
            return isWhole ? ReplaceEnd.NONE_MISSING : ReplaceEnd.NO_NEWCOMER;
        }
        return isListed(at.process(NEWCOMER)) ? ReplaceEnd.NEWCOMER_ADMITTED : ReplaceEnd.NEWCOMER_LEFT_OUT;
    }

    /**
     * Returns the schedule to the broken property that the search found, one line per event, and a line for the
     * property. If the property is that schedules end, the schedule leads to a state that comes again. Empty if no
     * broken property was found.
     */
    List<String> story() {
        return List.copyOf(story);
    }

    private void begin() {
        List<ReplaceStates.Step> starts = new ArrayList<>();
        next.seats[NEWCOMER][NEWCOMER] = ReplaceStates.NOT_STARTED;
        for (int seat = 0; seat < NEWCOMER; seat++) {
            starts.add(local.start(seat));
            next.seats[seat][seat] = starts.get(seat).next();
        }
        if (world.grows()) {
            next.newcomerSlot = 0; // A joiner waits from the start; the slot that it is to get is always the same.
            ReplaceStates.Step joiner = local.start(NEWCOMER);
            next.seats[NEWCOMER][NEWCOMER] = joiner.next();
            post(NEWCOMER, joiner, joiner.sent().size());
        }
        if (world.dead() >= 0) {
            end(world.dead(), ReplaceStates.CRASHED);
        }
        for (int seat = 0; seat < NEWCOMER; seat++) {
            if (seat != world.dead()) {
                post(seat, starts.get(seat), starts.get(seat).sent().size());
            }
        }
        parents[0] = -1;
        states.number(number(next));
        broken = judge(next);
        tell(0, "");
    }

    // ---- the events of a state ----

    /**
     * Tries the events of the present state, until a property is broken. Returns whether the state is quiet: no event
     * but the death of a process is possible.
     */
    private boolean goOn() {
        boolean isQuiet = launcherActs();
        int running = 0;
        int crashed = 0;
        for (int seat = 0; seat < SEATS; seat++) {
            running += seat < NEWCOMER && at.isRunning(seat) ? 1 : 0;
            crashed += at.of(seat) == ReplaceStates.CRASHED ? 1 : 0;
        }
        for (int seat = 0; seat < SEATS && broken == null; seat++) {
            if (at.isRunning(seat)) {
                // At least one of the three ranks stays alive: the roll call, which follows when all are dead, is not
                // part of this search.
                boolean mayDie = crashed < world.deaths() && (seat == NEWCOMER || running > 1);
                isQuiet &= acts(seat, mayDie);
            }
        }
        return isQuiet;
    }

    private boolean launcherActs() {
        boolean isQuiet = true;
        if (at.of(NEWCOMER) != ReplaceStates.NOT_STARTED) {
            return true;
        }
        for (int slot = 0; slot < NEWCOMER && broken == null; slot++) {
            if (at.of(slot) == ReplaceStates.CRASHED) {
                isQuiet = false;
                ReplaceStates.Step start = local.start(NEWCOMER + slot);
                next.copy(at);
                next.newcomerSlot = slot;
                next.seats[NEWCOMER][NEWCOMER] = start.next();
                post(NEWCOMER, start, start.sent().size());
                arrive(NEWCOMER, ReplaceEvent.code(ReplaceEvent.What.STARTS, slot, 0), -1);
            }
        }
        if (!isQuiet && broken == null) {
            next.copy(at);
            next.seats[NEWCOMER][NEWCOMER] = ReplaceStates.NEVER_STARTED;
            arrive(NEWCOMER, ReplaceEvent.code(ReplaceEvent.What.STARTS_NO_PROCESS, 0, 0), -1);
        }
        return isQuiet;
    }

    private boolean acts(int seat, boolean mayDie) {
        ReplaceView view = local.view(at.of(seat));
        List<Integer> events = new ArrayList<>();
        for (int choice : view.choices()) {
            events.add(choice);
        }
        for (int other = 0; other < SEATS; other++) {
            addAbout(other, seat, view, events);
        }
        boolean isSentAway =
                !world.grows() && seat == NEWCOMER && view.isPending() && at.settled > 0 && !isListed(view.id());
        for (int i = 0; i < events.size() && broken == null; i++) {
            take(seat, events.get(i), mayDie);
        }
        if (isSentAway && broken == null) {
            next.copy(at);
            end(seat, ReplaceStates.EXITED);
            arrive(seat, ReplaceEvent.code(ReplaceEvent.What.GOES, 0, 0), -1);
        }
        if (mayDie && broken == null) {
            next.copy(at);
            end(seat, ReplaceStates.CRASHED);
            arrive(seat, ReplaceEvent.code(ReplaceEvent.What.DIES, 0, 0), -1);
        }
        return events.isEmpty() && !isSentAway;
    }

    private void addAbout(int other, int seat, ReplaceView view, List<Integer> events) {
        boolean isThere = other != NEWCOMER || at.newcomerSlot != NO_SLOT;
        if (other != seat && isThere) {
            ProcessId process = at.process(other);
            boolean isKnown = view.known().contains(process);
            if (at.seats[seat][other] != Channels.EMPTY && isKnown) { // P10: else it waits in the link of a stranger
                int head = channels.head(at.seats[seat][other]);
                events.add(ReplaceEvent.code(ReplaceEvent.What.GETS, other, head));
            }
            if (!at.isRunning(other)
                    && (isKnown || view.toldPending() && !world.grows())
                    && !view.failed().contains(process)
                    && !view.toldDead().contains(process)) {
                events.add(ReplaceEvent.code(ReplaceEvent.What.LEARNS, other, 0));
            }
        }
        if (seat == NEWCOMER) {
            return; // The launcher tells only members of newcomers. The newcomer is told by its welcome.
        }
        if (other == NEWCOMER && isThere && !view.toldPending()) {
            events.add(ReplaceEvent.code(ReplaceEvent.What.PENDING, other, 0));
        }
        if (!world.grows() && other != NEWCOMER && other != seat && isGivenUp(other, view)) {
            events.add(ReplaceEvent.code(ReplaceEvent.What.NO_MORE, other, 0));
        }
    }

    /**
     * P8: whether the launcher may tell a member, once, that no process comes into a slot any more. The rank of the
     * slot must have ended, and the launcher must have decided about the start of the newcomer. If a newcomer was
     * started in the slot, it must have ended, and the member must have been told before that it waited.
     */
    private boolean isGivenUp(int slot, ReplaceView view) {
        if (at.isRunning(slot)
                || at.of(NEWCOMER) == ReplaceStates.NOT_STARTED
                || view.toldNoMore().contains(slot)) {
            return false;
        }
        return at.newcomerSlot != slot || !at.isRunning(NEWCOMER) && view.toldPending();
    }

    private boolean isListed(ProcessId process) {
        return worlds.value(at.settled - 1).membership().contains(process);
    }

    /**
     * Tries an event as a whole, and then, if that broke no property and the process may die, with a death after the
     * first, the second, and so on of the messages that it sends in the event, but not after the last.
     */
    private void take(int seat, int event, boolean mayDie) {
        ReplaceStates.Step step = local.step(at.of(seat), event, at.newcomerSlot);
        if (step.broken() != null) {
            transitions++;
            broken = step.broken();
            tell(from, line(seat, event, -1));
            return;
        }
        apply(seat, event, step, step.sent().size());
        if (step.next() == ReplaceStates.EXITED) {
            end(seat, ReplaceStates.EXITED);
        } else {
            settleAt(seat);
        }
        arrive(seat, event, -1);
        for (int cut = 1; mayDie && cut < step.sent().size() && broken == null; cut++) {
            apply(seat, event, step, cut);
            end(seat, ReplaceStates.CRASHED);
            arrive(seat, event, cut);
        }
    }

    private void apply(int seat, int event, ReplaceStates.Step step, int sends) {
        next.copy(at);
        ReplaceEvent happened = ReplaceEvent.of(event);
        if (happened.what() == ReplaceEvent.What.GETS) {
            next.seats[seat][happened.other()] = channels.withoutHead(at.seats[seat][happened.other()]);
        }
        next.seats[seat][seat] = step.next();
        post(seat, step, sends);
    }

    private void post(int seat, ReplaceStates.Step step, int sends) {
        for (ReplaceStates.Sent sent : step.sent().subList(0, sends)) {
            int to = ReplaceSeat.seatOf(sent.to());
            if (to == seat || to == NEWCOMER && !next.process(to).equals(sent.to())) {
                throw new IllegalStateException("seat " + seat + " writes to " + sent.to());
            }
            if (next.isRunning(to)
                    && !local.view(next.of(to)).isSettled(next.process(seat), local.message(sent.message()))) {
                next.seats[to][seat] = channels.append(next.seats[to][seat], sent.message());
            }
        }
    }

    private void end(int seat, int how) {
        Arrays.fill(next.seats[seat], Channels.EMPTY);
        next.seats[seat][seat] = how;
    }

    /** The state of a process has changed: drops the messages on their way to it that will do nothing in any case. */
    private void settleAt(int seat) {
        ReplaceView view = local.view(next.of(seat));
        for (int other = 0; other < SEATS; other++) {
            if (other != seat && next.seats[seat][other] != Channels.EMPTY) {
                int left = Channels.EMPTY;
                for (int message : channels.messages(next.seats[seat][other])) {
                    if (!view.isSettled(next.process(other), local.message(message))) {
                        left = channels.append(left, message);
                    }
                }
                next.seats[seat][other] = left;
            }
        }
    }

    /** Records the next state, and checks that new worlds do not differ in it, and all else only if it is new. */
    private void arrive(int seat, int event, int cut) {
        transitions++;
        String wrong = settle();
        int number = states.size();
        int to = states.number(number(next));
        edges.add(from, to);
        if (to == number) {
            if (number == parents.length) {
                parents = Arrays.copyOf(parents, 2 * number);
                lastSeat = Arrays.copyOf(lastSeat, 2 * number);
                lastEvent = Arrays.copyOf(lastEvent, 2 * number);
                lastCut = Arrays.copyOf(lastCut, 2 * number);
            }
            parents[number] = from;
            lastSeat[number] = seat;
            lastEvent[number] = event;
            lastCut[number] = cut;
        }
        broken = wrong != null ? wrong : to == number ? judge(next) : null;
        if (broken != null) {
            tell(from, line(seat, event, cut));
        }
    }

    // ---- what is checked ----

    /**
     * Checks that all processes that returned into a new world, or were told of one, are in the same one. Processes
     * that have died since then count too.
     */
    private String settle() {
        for (int seat = 0; seat < SEATS; seat++) {
            Admission here = next.isRunning(seat) ? local.view(next.of(seat)).admission() : null;
            if (here != null) {
                int number = worlds.number(here) + 1;
                if (next.settled != 0 && next.settled != number) {
                    return "worlds differ: " + next.process(seat) + " is in " + here + ", and there is "
                            + worlds.value(next.settled - 1);
                }
                next.settled = number;
            }
        }
        return null;
    }

    private String judge(State state) {
        Admission settled = state.settled == 0 ? null : worlds.value(state.settled - 1);
        ReplaceView agreed = null;
        for (int seat = 0; seat < SEATS; seat++) {
            if (seat == NEWCOMER && state.newcomerSlot == NO_SLOT) {
                continue;
            }
            ProcessId process = state.process(seat);
            boolean isListed = settled != null && settled.membership().contains(process);
            if (state.of(seat) == ReplaceStates.EXITED && (isListed || settled == null || seat < NEWCOMER)) {
                return "process " + process + " went away, and is not left out of a world: " + settled;
            }
            if (!state.isRunning(seat)) {
                continue;
            }
            ReplaceView view = local.view(state.of(seat));
            if (settled != null && seat < NEWCOMER && !isListed) {
                return "process " + process + " runs and is left behind by " + settled;
            }
            if (settled != null && view.finished() && view.admission() == null) {
                return "the call ends without a new world at process " + process + ", and there is " + settled;
            }
            for (int other = 0; other < SEATS; other++) {
                if (state.isRunning(other) && view.failed().contains(state.process(other))) {
                    return "process " + process + " holds " + state.process(other) + " for failed, which runs";
                }
            }
            if (view.agreed() != null) {
                if (agreed != null && !agreed.agreed().equals(view.agreed())) {
                    return "the new world does not agree: " + agreed.agreed() + " and " + view.agreed();
                }
                agreed = view;
            }
        }
        return null;
    }

    /**
     * Checks a quiet state: no running process may have a program that has not ended, but for a newcomer while there is
     * no new world that lists it, and each must have marked failed the crashed members of its world.
     */
    private String hanging() {
        for (int seat = 0; seat < SEATS; seat++) {
            if (!at.isRunning(seat)) {
                continue;
            }
            ReplaceView view = local.view(at.of(seat));
            boolean mayWait = seat == NEWCOMER && view.isPending() && (at.settled == 0 || !isListed(view.id()));
            if (!view.finished() && !mayWait) {
                return "process " + view.id() + " hangs: " + view;
            }
            for (int other = 0; other < SEATS; other++) {
                boolean isDead = at.of(other) == ReplaceStates.CRASHED && isMember(at.process(other), view);
                if (isDead && !view.failed().contains(at.process(other))) {
                    return "process " + view.id() + " never knows that " + at.process(other) + " is dead";
                }
            }
        }
        return null;
    }

    /** Whether a process is a member of the world that another process is in. */
    private static boolean isMember(ProcessId process, ReplaceView view) {
        return view.admission() == null
                ? !view.isPending() && ReplaceSeat.seatOf(process) != NEWCOMER
                : view.admission().membership().contains(process);
    }

    // ---- states as numbers, and schedules ----

    private long number(State state) {
        int[] rows = new int[SEATS];
        for (int seat = 0; seat < SEATS; seat++) {
            int[] row = state.seats[seat];
            rows[seat] = pair(pair(row[0], row[1]), pair(row[2], row[3]));
        }
        int all = pair(pair(rows[0], rows[1]), pair(rows[2], rows[3]));
        return (long) all << 32 | (long) state.settled << 2 | state.newcomerSlot + 1;
    }

    private int pair(int one, int other) {
        return pairs.number((long) one << 32 | other);
    }

    private void read(int state) {
        long value = states.value(state);
        at.newcomerSlot = (int) (value & 3) - 1;
        at.settled = (int) value >>> 2;
        long all = pairs.value((int) (value >>> 32));
        for (int seat = 0; seat < SEATS; seat++) {
            long row = pairs.value(half(pairs.value(half(all, seat / 2)), seat % 2));
            for (int place = 0; place < SEATS; place++) {
                at.seats[seat][place] = half(pairs.value(half(row, place / 2)), place % 2);
            }
        }
    }

    private static int half(long pair, int which) {
        return which == 0 ? (int) (pair >>> 32) : (int) pair;
    }

    /** If a property is broken, writes down the events that led to it, as lines of the story. */
    private void tell(int state, String last) {
        if (broken == null) {
            return;
        }
        for (int back = state; parents[back] >= 0; back = parents[back]) {
            story.add(0, line(lastSeat[back], lastEvent[back], lastCut[back]));
        }
        if (!last.isEmpty()) {
            story.add(last);
        }
        story.add("broken: " + broken);
    }

    private String line(int seat, int code, int cut) {
        ReplaceEvent event = ReplaceEvent.of(code);
        boolean brings = event.what() == ReplaceEvent.What.GETS;
        return "seat " + seat + " " + event.what() + " " + event.other()
                + (brings ? " " + local.message(event.detail()) : "")
                + (cut < 0 ? "" : ", and dies after " + cut + " of its messages");
    }
}
