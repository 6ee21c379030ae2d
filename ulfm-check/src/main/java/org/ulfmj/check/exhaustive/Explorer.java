package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Visits the states of a world, those with the fewest events before them first, and checks the properties in each, up
 * to the first that is broken. A state of the world consists, per rank, of the rank's state and the contents of the
 * links to it, and of the number of suspicions that are left. States are stored whole, as one number that is made of
 * the numbers of their parts.
 *
 * <p>The next event may be any event of any rank that runs, such as a message at the head of a link, a step of the
 * program, a suspicion, or the news of a death. While the world allows a further crash and another rank runs, in each
 * event the rank may also die after a part of the messages that it sends, and it may die between events. Messages to a
 * rank that has ended are dropped.
 *
 * <p>One reduction: a message is dropped as soon as it is certain that it will do nothing, whenever it arrives
 * ({@link View#isSettled}). The reduction can be turned off, to see that it changes no verdict.
 */
final class Explorer {
    /**
     * The result of a search.
     *
     * @param states number of states found; if no property is broken, all states of the world
     * @param transitions number of steps between states
     * @param quiet number of states in which no event is left that must happen
     * @param localStates number of states of single ranks, the three in which a rank has ended included
     * @param localSteps number of pairs of a rank's state and an event that were tried
     * @param depth the largest number of events on a shortest way to a state whose events were tried
     * @param finding the broken property, or null
     */
    record Result(
            long states, long transitions, long quiet, int localStates, int localSteps, int depth, Finding finding) {
        boolean isClean() {
            return finding == null;
        }
    }

    /**
     * A broken property, in a state or in a step out of it.
     *
     * @param state the state in which it was found, or from which the step leads; if schedules do not end, a state that
     *     comes again in one
     * @param last the event whose step broke the property, or null
     */
    record Finding(String broken, int state, Happening last) {}

    /**
     * One event of the world.
     *
     * @param rank the rank at which it happens
     * @param event the event's code; −1 if the rank dies between two events
     * @param cut after how many of the messages of this event the rank dies; −1 if it does not die within an event
     */
    record Happening(int rank, int event, int cut) {}

    private interface Receiver {
        /**
         * @param broken the property that the event itself breaks, or null
         * @return whether the search is to go on with the next event
         */
        boolean onNext(Happening happening, String broken);
    }

    private static final int BITS = 29;

    private final World world;
    private final int size;
    private final boolean reduces;
    private final long limit;
    private final LocalStates local;
    private final Properties properties;
    private final Channels channels = new Channels();
    private final LongTable pairs = new LongTable();
    private final LongTable states = new LongTable();
    private final LongTable judged = new LongTable();
    private final LongTable judgedQuiet = new LongTable();

    /** Per state, the state from which it was first reached; −1 for the first state. */
    private int[] parents = new int[1 << 10];

    /** All steps between states. */
    private final Edges edges = new Edges();

    /**
     * The state whose events are tried. Row r has, at index s, the content of the link from rank s to rank r, and at
     * index r the state of rank r itself.
     */
    private final int[][] seats;

    private final int[][] next;
    private int suspicionsLeft;
    private int nextSuspicionsLeft;
    private long transitions;
    private long quiet;

    Explorer(World world, boolean reduces, long limit) {
        this.world = world;
        this.size = world.ranks();
        this.reduces = reduces;
        this.limit = limit;
        this.local = new LocalStates(world);
        this.properties = new Properties(world);
        this.seats = new int[size][size];
        this.next = new int[size][size];
    }

    Result run() {
        String wrong = begin();
        if (wrong != null) {
            return result(new Finding(wrong, 0, null), 0);
        }
        Finding[] found = new Finding[1];
        int depth = 0;
        int endOfDepth = 1;
        for (int state = 0; state < states.size(); state++) {
            if (state == endOfDepth) {
                depth++;
                endOfDepth = states.size();
            }
            int from = state;
            read(from);
            boolean isQuiet = forEachNext((happening, broken) -> {
                transitions++;
                String bad = broken;
                int number = states.size();
                int to = bad == null ? states.number(nextState()) : -1;
                if (bad == null) {
                    edges.add(from, to);
                }
                if (to == number) {
                    if (number == parents.length) {
                        parents = Arrays.copyOf(parents, 2 * number);
                    }
                    parents[number] = from;
                    bad = judge(next, judged, false);
                    if (bad != null) {
                        found[0] = new Finding(bad, number, null);
                        return false;
                    }
                } else if (bad != null) {
                    found[0] = new Finding(bad, from, happening);
                    return false;
                }
                return true;
            });
            if (found[0] != null) {
                return result(found[0], depth);
            }
            if (isQuiet) {
                quiet++;
                String hangs = judge(seats, judgedQuiet, true);
                if (hangs != null) {
                    return result(new Finding(hangs, from, null), depth);
                }
            }
            if (states.size() > limit) {
                throw new IllegalStateException(
                        "world " + world.name() + " has more than " + limit + " states: it was not visited whole");
            }
        }
        int comesAgain = edges.stateOfACycle(states.size());
        if (comesAgain >= 0) {
            return result(new Finding("ranks can go on for ever without getting anywhere", comesAgain, null), depth);
        }
        return result(null, depth);
    }

    private Result result(Finding finding, int depth) {
        return new Result(states.size(), transitions, quiet, local.count(), local.steps(), depth, finding);
    }

    private String begin() {
        suspicionsLeft = world.suspicions();
        LocalStates.Step[] starts = new LocalStates.Step[size];
        for (int rank = 0; rank < size; rank++) {
            starts[rank] = local.start(rank);
            next[rank][rank] = starts[rank].next();
        }
        nextSuspicionsLeft = suspicionsLeft;
        for (int rank = 0; rank < size; rank++) {
            post(rank, starts[rank], starts[rank].to().length);
        }
        parents[0] = -1;
        states.number(nextState());
        return judge(next, judged, false);
    }

    // ---- the events of a state ----

    /**
     * Tries every event of the present state, until the receiver ends the search. Returns whether the state is quiet:
     * none of its events must happen; false if the search was ended.
     */
    private boolean forEachNext(Receiver receiver) {
        int running = 0;
        for (int rank = 0; rank < size; rank++) {
            running += isRunning(rank) ? 1 : 0;
        }
        boolean mayCrash = running > 1 && crashed() < world.crashes();
        boolean isQuiet = true;
        for (int rank = 0; rank < size; rank++) {
            if (!isRunning(rank)) {
                continue;
            }
            View view = local.view(seats[rank][rank]);
            for (int choice : view.choices()) {
                boolean isFree = LocalEvent.of(choice).what() == LocalEvent.What.REVOKES;
                isQuiet &= isFree;
                if (!take(rank, choice, mayCrash, receiver)) {
                    return false;
                }
            }
            for (int other = 0; other < size; other++) {
                if (other == rank) {
                    continue;
                }
                if (seats[rank][other] != Channels.EMPTY) {
                    isQuiet = false;
                    int head = channels.head(seats[rank][other]);
                    if (!take(rank, LocalEvent.code(LocalEvent.What.GETS, other, head), mayCrash, receiver)) {
                        return false;
                    }
                }
                if (view.gone().contains(other)) {
                    continue;
                }
                int status = seats[other][other];
                if (status == LocalStates.EXITED && !world.launcherAnswers()) {
                    continue;
                }
                if (status == LocalStates.EXITED) {
                    isQuiet = false;
                    if (!take(rank, LocalEvent.code(LocalEvent.What.DEPARTED, other, 0), mayCrash, receiver)) {
                        return false;
                    }
                } else if (!view.leaving() && status <= LocalStates.FENCED && mayBeTold(rank, other)) {
                    isQuiet = false;
                    if (!take(rank, LocalEvent.code(LocalEvent.What.LEARNS, other, 0), mayCrash, receiver)) {
                        return false;
                    }
                } else if (!view.leaving() && status > LocalStates.EXITED && suspicionsLeft > 0) {
                    if (!take(rank, LocalEvent.code(LocalEvent.What.SUSPECTS, other, 0), mayCrash, receiver)) {
                        return false;
                    }
                }
            }
            if (mayCrash) {
                copy();
                end(rank, LocalStates.CRASHED);
                if (!receiver.onNext(new Happening(rank, -1, -1), null)) {
                    return false;
                }
            }
        }
        return isQuiet;
    }

    private boolean isRunning(int rank) {
        return seats[rank][rank] > LocalStates.EXITED;
    }

    private int crashed() {
        int crashed = 0;
        for (int rank = 0; rank < size; rank++) {
            crashed += seats[rank][rank] == LocalStates.CRASHED ? 1 : 0;
        }
        return crashed;
    }

    private boolean mayBeTold(int rank, int dead) {
        if (world.news() != World.News.FRAMES) {
            return true;
        }
        int successor = (dead + 1) % size;
        while (!isRunning(successor)) {
            successor = (successor + 1) % size;
        }
        return successor == rank;
    }

    /**
     * Tries an event as a whole. If {@code mayCrash} and the event breaks no property, it is also tried with a death of
     * the rank after the first, the second, and so on of the messages that it sends in the event, but not after the
     * last. Returns whether the search goes on.
     */
    private boolean take(int rank, int event, boolean mayCrash, Receiver receiver) {
        LocalStates.Step step = local.step(seats[rank][rank], event);
        if (step.broken() != null) {
            return receiver.onNext(new Happening(rank, event, -1), step.broken());
        }
        apply(rank, event, step, step.to().length);
        if (step.next() <= LocalStates.EXITED) {
            end(rank, step.next());
        } else {
            settleAt(rank);
        }
        if (!receiver.onNext(new Happening(rank, event, -1), null)) {
            return false;
        }
        for (int cut = 1; mayCrash && cut < step.to().length; cut++) {
            apply(rank, event, step, cut);
            end(rank, LocalStates.CRASHED);
            if (!receiver.onNext(new Happening(rank, event, cut), null)) {
                return false;
            }
        }
        return true;
    }

    private void copy() {
        for (int rank = 0; rank < size; rank++) {
            System.arraycopy(seats[rank], 0, next[rank], 0, size);
        }
        nextSuspicionsLeft = suspicionsLeft;
    }

    private void apply(int rank, int event, LocalStates.Step step, int sends) {
        copy();
        LocalEvent happened = LocalEvent.of(event);
        if (happened.what() == LocalEvent.What.GETS) {
            next[rank][happened.other()] = channels.withoutHead(seats[rank][happened.other()]);
        } else if (happened.what() == LocalEvent.What.SUSPECTS) {
            nextSuspicionsLeft--;
        }
        next[rank][rank] = step.next();
        post(rank, step, sends);
    }

    private void post(int rank, LocalStates.Step step, int sends) {
        for (int i = 0; i < sends; i++) {
            int to = step.to()[i];
            int message = step.messages()[i];
            int receiver = next[to][to];
            boolean counts =
                    receiver > LocalStates.EXITED && !(reduces && local.isSettled(receiver, rank, false, message));
            if (counts) {
                next[to][rank] = channels.append(next[to][rank], message);
            }
        }
    }

    /** A rank ends: messages to it are dropped, and with the reduction also those from it that do nothing any more. */
    private void end(int rank, int how) {
        Arrays.fill(next[rank], Channels.EMPTY);
        next[rank][rank] = how;
        for (int other = 0; reduces && other < size; other++) {
            if (next[other][rank] != Channels.EMPTY && other != rank) {
                next[other][rank] = channels.unsettled(next[other][rank], local, next[other][other], rank, true);
            }
        }
    }

    /**
     * The state of a rank has changed. With the reduction, the messages on their way to the rank that will do nothing
     * in any case are dropped.
     */
    private void settleAt(int rank) {
        for (int from = 0; reduces && from < size; from++) {
            if (from != rank && next[rank][from] != Channels.EMPTY) {
                boolean senderEnded = next[from][from] <= LocalStates.EXITED;
                next[rank][from] = channels.unsettled(next[rank][from], local, next[rank][rank], from, senderEnded);
            }
        }
    }

    // ---- states as numbers ----

    private long nextState() {
        int half = size / 2;
        return (long) fold(next, 0, half) << (BITS + 4) | (long) fold(next, half, size) << 4 | nextSuspicionsLeft;
    }

    private int fold(int[][] rows, int from, int to) {
        int folded = foldRow(rows[from], 0, size);
        for (int rank = from + 1; rank < to; rank++) {
            folded = pairs.number((long) folded << 32 | foldRow(rows[rank], 0, size));
        }
        return folded;
    }

    private int foldRow(int[] row, int from, int to) {
        if (to - from == 1) {
            return row[from];
        }
        int middle = (from + to) / 2;
        return pairs.number((long) foldRow(row, from, middle) << 32 | foldRow(row, middle, to));
    }

    private void read(int state) {
        long value = states.value(state);
        int half = size / 2;
        unfold((int) (value >>> (BITS + 4)), 0, half);
        unfold((int) (value >>> 4) & (1 << BITS) - 1, half, size);
        suspicionsLeft = (int) value & 15;
    }

    private void unfold(int folded, int from, int to) {
        int rest = folded;
        for (int rank = to - 1; rank > from; rank--) {
            long pair = pairs.value(rest);
            unfoldRow((int) pair, seats[rank], 0, size);
            rest = (int) (pair >>> 32);
        }
        unfoldRow(rest, seats[from], 0, size);
    }

    private void unfoldRow(int folded, int[] row, int from, int to) {
        if (to - from == 1) {
            row[from] = folded;
            return;
        }
        int middle = (from + to) / 2;
        long pair = pairs.value(folded);
        unfoldRow((int) (pair >>> 32), row, from, middle);
        unfoldRow((int) pair, row, middle, to);
    }

    // ---- properties ----

    private String judge(int[][] rows, LongTable known, boolean atEnd) {
        long key = 0;
        for (int rank = 0; rank < size; rank++) {
            int number = local.factsNumber(rows[rank][rank]);
            key = rank + 1 == size ? key << 32 | number : pairs.number(key << 32 | number);
        }
        if (known.find(key) >= 0) {
            return null;
        }
        Facts[] facts = new Facts[size];
        for (int rank = 0; rank < size; rank++) {
            facts[rank] = local.facts(local.factsNumber(rows[rank][rank]));
        }
        String broken = atEnd ? properties.brokenAtEnd(facts) : properties.broken(facts);
        if (broken == null) {
            known.number(key);
        }
        return broken;
    }

    // ---- the way to a finding ----

    /**
     * Returns a shortest schedule that leads to a finding, in lines: each event, the messages that it sends and what it
     * brings about, and at the end the broken property. If the finding is that schedules do not end, there is only the
     * line of the property.
     */
    List<String> story(Finding finding) {
        List<Integer> path = new ArrayList<>();
        for (int state = finding.state(); state >= 0; state = parents[state]) {
            path.add(0, state);
        }
        Story story = new Story(world, local);
        for (int step = 1; step < path.size(); step++) {
            int from = path.get(step - 1);
            int to = path.get(step);
            read(from);
            Happening[] found = new Happening[1];
            forEachNext((happening, broken) -> {
                boolean isIt = broken == null && states.find(nextState()) == to;
                found[0] = isIt ? happening : null;
                return !isIt;
            });
            tell(story, found[0]);
        }
        if (finding.last() != null) {
            read(finding.state());
            tell(story, finding.last());
        }
        story.add(finding.broken());
        return story.lines();
    }

    private void tell(Story story, Happening happening) {
        int state = seats[happening.rank()][happening.rank()];
        story.add(happening, happening.event() < 0 ? null : local.step(state, happening.event()));
    }
}
