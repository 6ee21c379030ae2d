package org.ulfmj.check.exhaustive.rounds;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ulfmj.check.exhaustive.rounds.RoundsSmall.Fault;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;

/**
 * Visits the states of a small world of a rendezvous, those with the fewest events before them first, up to the first
 * broken property.
 */
final class RoundsSearch {
    /** An event: its words in a story, and what it does to a state. */
    private record Event(Supplier<String> says, Consumer<Row> does) {}

    private final RoundsSmall small;
    private final long mostStates;
    private final RoundsWorld world;
    private final Map<Row, Integer> numbers = new LinkedHashMap<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<Integer> parents = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private String broken = "";
    private String last = "";
    private int brokenFrom = -1;
    private long steps;
    private long ends;

    RoundsSearch(RoundsSmall small, long mostStates) {
        this.small = small;
        this.mostStates = mostStates;
        this.world = new RoundsWorld(small);
    }

    RoundsSearch run() {
        add(world.first(), -1);
        for (int from = 0; from < rows.size() && broken.isEmpty(); from++) {
            visit(from);
        }
        return this;
    }

    private void add(Row row, int from) {
        if (numbers.putIfAbsent(row, rows.size()) == null) {
            rows.add(row);
            parents.add(from);
            if (rows.size() > mostStates) {
                throw new IllegalStateException(small + " has more than " + mostStates + " states");
            }
        }
    }

    private void visit(int from) {
        Row row = rows.get(from);
        List<Event> next = events(row);
        try {
            requireRightNow(row);
            if (next.isEmpty()) {
                ends++;
                requireRest(row);
            }
        } catch (Violation violation) {
            breaks(violation, from, "");
            return;
        }
        for (Event event : next) {
            Row to = row.copy();
            steps++;
            try {
                event.does().accept(to);
                add(to, from);
            } catch (Violation violation) {
                breaks(violation, from, event.says().get());
                return;
            }
        }
    }

    private void breaks(Violation violation, int from, String by) {
        broken = violation.getMessage();
        brokenFrom = from;
        last = by;
    }

    // ---- what may happen ----

    private List<Event> events(Row row) {
        events.clear();
        for (int process = 0; process < row.processes(); process++) {
            addOf(row, process);
        }
        boolean isQuiet = events.isEmpty();
        addTimers(row, isQuiet);
        for (int process = 0; process < row.processes(); process++) {
            addFaults(row, process);
        }
        if (row.left(Fault.CLOSE) > 0 && world.launcher(row).phase() != RendezvousCore.Phase.CLOSED) {
            add(() -> "the rendezvous is closed", to -> {
                to.use(Fault.CLOSE);
                to.close();
                world.launcherTakes(to, Launcher.CLOSES, 0, 0);
            });
        }
        return new ArrayList<>(events);
    }

    private void add(Supplier<String> says, Consumer<Row> does) {
        events.add(new Event(says, does));
    }

    private void addOf(Row row, int process) {
        for (int message : world.list(row.bag(process))) {
            add(
                    () -> "the launcher gets " + world.message(message) + " of " + process,
                    to -> world.takeOne(to, process, message));
        }
        if (!row.isUp(process)) {
            if (row.life(process) != Row.Life.NOT_STARTED && world.launcher(row).knows(process)) {
                add(
                        () -> "the end of " + process + " is proven",
                        to -> world.launcherTakes(to, Launcher.ENDED, process, 0));
            }
            return;
        }
        if (row.isPaused(process)) {
            add(() -> process + " goes on", to -> to.resume(process));
            return;
        }
        Client client = world.client(row, process);
        if (!client.isConnected()) {
            add(() -> process + " joins", to -> world.takes(to, process, Client.CONNECTS, 0));
        }
        List<Integer> queue = world.list(row.queue(process));
        if (!queue.isEmpty()) {
            add(() -> process + " gets " + world.message(queue.get(0)), to -> world.receives(to, process));
        }
        if (row.welcome(process) > 0) {
            addWelcome(row, process, client);
        }
        if (client.isRunning()) {
            addOfRunning(row, process);
        }
    }

    private void addWelcome(Row row, int process, Client client) {
        Client.Entered entered = world.welcome(row, process);
        if (client.mayBeAdmitted() && client.round() == entered.round()) {
            add(() -> process + " is welcomed to " + entered.epoch(), to -> world.enters(to, process));
        }
        boolean isVoid = client.isRunning() || client.round() > entered.round();
        if (isVoid || !world.hasWelcomer(row, process)) {
            add(() -> "the welcome of " + process + " is lost", to -> to.welcome(process, 0));
        }
    }

    private void addOfRunning(Row row, int process) {
        if (row.left(Fault.ADMIT) > 0) {
            Client.Entered entered = world.decision(row, process);
            if (entered != null) {
                add(() -> "the world of " + process + " becomes " + entered, to -> {
                    to.use(Fault.ADMIT);
                    world.admit(to, entered);
                });
            }
        }
        if (world.isLeftBehind(row, process)) {
            add(() -> process + " hears that the others went on", to -> to.end(process, Row.Life.OVER));
        }
    }

    private void addTimers(Row row, boolean isQuiet) {
        Launcher launcher = world.launcher(row);
        if (!launcher.hasTimer()) {
            return;
        }
        RendezvousCore.Phase phase = launcher.phase();
        if (isQuiet || phase == RendezvousCore.Phase.LAST_CALL) {
            add(() -> "the timer of " + phase, to -> world.launcherTakes(to, Launcher.TIMER, 0, 0));
        } else if (row.left(Fault.EARLY) > 0 && phase != RendezvousCore.Phase.ROLLCALL) {
            add(() -> "early, the timer of " + phase, to -> {
                to.use(Fault.EARLY);
                for (int process = 0; process < to.processes(); process++) {
                    to.dirty(process);
                }
                world.launcherTakes(to, Launcher.TIMER, 0, 0);
            });
        }
    }

    private void addFaults(Row row, int process) {
        if (row.life(process) == Row.Life.NOT_STARTED) {
            addStarts(row, process);
            return;
        }
        boolean hasSent = row.bag(process) != 0;
        if (row.isUp(process) && row.left(Fault.CRASH) > 0) {
            add(() -> process + " dies", to -> {
                to.use(Fault.CRASH);
                to.end(process, Row.Life.DEAD);
            });
            if (hasSent) {
                add(() -> process + " dies, and what it has sent is lost", to -> {
                    to.use(Fault.CRASH);
                    to.end(process, Row.Life.DEAD);
                    world.forgets(to, process);
                });
            }
        }
        if (!row.isAble(process) || !world.client(row, process).isConnected()) {
            return;
        }
        if (row.left(Fault.PAUSE) > 0) {
            add(() -> process + " stands still", to -> {
                to.use(Fault.PAUSE);
                to.pause(process);
            });
        }
        if (row.left(Fault.BREAK) > 0) {
            add(() -> process + " dials again", to -> {
                to.use(Fault.BREAK);
                world.reconnects(to, process, false);
            });
            if (hasSent) {
                add(() -> process + " dials again, and what it had sent is lost", to -> {
                    to.use(Fault.BREAK);
                    world.reconnects(to, process, true);
                });
            }
        }
        if (row.left(Fault.LEAVE) > 0) {
            add(() -> process + " leaves", to -> {
                to.use(Fault.LEAVE);
                world.takes(to, process, Client.LEAVES, 0);
                to.end(process, Row.Life.OVER);
            });
        }
    }

    /**
     * Adds the starts of a process: the lowest number that is not started yet is started in a seat whose last process
     * has died (RESTART), or whose last process lives (DOUBLE).
     */
    private void addStarts(Row row, int process) {
        if (process > 0 && row.life(process - 1) == Row.Life.NOT_STARTED) {
            return;
        }
        for (int older = 0; older < process; older++) {
            boolean isLast = true;
            for (int later = older + 1; later < process; later++) {
                isLast &= row.seat(later) != row.seat(older);
            }
            if (isLast && row.life(older) == Row.Life.DEAD && row.left(Fault.RESTART) > 0) {
                addStart(process, row.seat(older), Fault.RESTART);
            }
            if (isLast && row.isUp(older) && row.left(Fault.DOUBLE) > 0) {
                addStart(process, row.seat(older), Fault.DOUBLE);
            }
        }
    }

    private void addStart(int process, int seat, Fault fault) {
        add(() -> process + " is started in seat " + seat, to -> {
            to.use(fault);
            int incarnation = 0;
            for (int older = 0; older < process; older++) {
                incarnation += to.seat(older) == seat ? 1 : 0;
            }
            to.life(process, Row.Life.UP);
            to.seat(process, seat);
            for (int each = 0; fault == Fault.DOUBLE && each <= process; each++) {
                if (to.seat(each) == seat) {
                    to.dirty(each);
                }
            }
            if (small.isStatic()) {
                world.launcherTakes(to, Launcher.ALLOWS, seat, incarnation);
            }
        });
    }

    // ---- what must hold ----

    private void requireRightNow(Row row) {
        for (int one = 0; one < row.processes(); one++) {
            if (!row.isUp(one) || !world.client(row, one).isRunning()) {
                continue;
            }
            Client first = world.client(row, one);
            if (!RoundsWorld.lists(first.table(), one)) {
                throw new Violation("listed: process " + one + " runs in a world that does not list it");
            }
            for (int other = one + 1; other < row.processes(); other++) {
                if (row.isUp(other) && world.client(row, other).isRunning()) {
                    requireOneWorld(row, one, first, other, world.client(row, other));
                }
            }
        }
        if (world.launcher(row).phase() == RendezvousCore.Phase.CLOSED && !row.isClosed()) {
            throw new Violation("closed: the rendezvous is closed, and no CLOSE was given");
        }
    }

    private void requireOneWorld(Row row, int one, Client first, int other, Client second) {
        boolean isOneRound = first.round() == second.round();
        boolean isOneEpoch = isOneRound && first.epoch() == second.epoch();
        if (isOneEpoch && !first.table().equals(second.table())) {
            throw new Violation(
                    "consistency: processes " + one + " and " + other + " run in one epoch with two tables");
        }
        if (!isOneRound && row.isAble(one) && row.isAble(other)) {
            throw new Violation("exclusivity: processes " + one + " and " + other + " run in two rounds");
        }
    }

    /** Checks a state in which no event is left that could happen. */
    private void requireRest(Row row) {
        RendezvousCore.Phase phase = world.launcher(row).phase();
        Client runs = null;
        boolean waits = false;
        for (int process = 0; process < row.processes(); process++) {
            if (!row.isUp(process)) {
                continue;
            }
            if (phase == RendezvousCore.Phase.CLOSED) {
                throw new Violation("closed: process " + process + " never hears of the end");
            }
            Client client = world.client(row, process);
            if (client.isRunning()) {
                requireNews(row, process, client);
                if (runs != null && (runs.round() != client.round() || runs.epoch() != client.epoch())) {
                    throw new Violation("exclusivity: two worlds live on for ever");
                }
                runs = client;
            } else if (client.isPending()) {
                waits = true;
            } else {
                throw new Violation("silence: process " + process + " is " + client.state() + " and never answered");
            }
        }
        if (phase == RendezvousCore.Phase.FROZEN || phase == RendezvousCore.Phase.LAST_CALL) {
            throw new Violation("stuck: the phase stays " + phase);
        }
        if (runs != null && phase != RendezvousCore.Phase.FINAL) {
            throw new Violation("unknown: a world runs, and the launcher is in phase " + phase);
        }
        if (waits && runs == null) {
            throw new Violation("stuck: a process waits for a world in which none runs");
        }
    }

    /**
     * V12, G11: a running member was told of the end of each member of its table that has ended, under the name of that
     * table. In an elastic world it was told of each process that waits, if its world has room; and in epoch 0, if it
     * was told of a process that waits and that process has ended, also of that end.
     */
    private void requireNews(Row row, int process, Client client) {
        for (MemberRecord member : client.table()) {
            if (!row.isUp((int) member.nonce()) && !client.knowsDead(member.id())) {
                throw new Violation("news: process " + process + " does not know that " + member.id() + " is dead");
            }
        }
        for (int other = 0; other < row.processes() && !small.isStatic(); other++) {
            boolean waits = row.isUp(other) && world.client(row, other).isPending();
            if (waits && client.table().size() < small.max() && !client.knowsWaiting(other)) {
                throw new Violation("news: process " + process + " does not know that " + other + " waits");
            }
            boolean hasWaited = client.epoch() == 0 && client.knowsWaiting(other) && !row.isUp(other);
            if (hasWaited && !client.knowsDead(client.nameOfWaiting(other))) {
                throw new Violation("news: process " + process + " does not know that " + other + " waits no more");
            }
        }
    }

    // ---- the outcome ----

    long states() {
        return rows.size();
    }

    long steps() {
        return steps;
    }

    long ends() {
        return ends;
    }

    int parts() {
        return world.parts();
    }

    String broken() {
        return broken;
    }

    /** A schedule to the broken property, one line per event, and a line for the property; empty if none is broken. */
    List<String> story() {
        List<String> story = new ArrayList<>();
        if (broken.isEmpty()) {
            return story;
        }
        List<Integer> path = new ArrayList<>();
        for (int at = brokenFrom; at >= 0; at = parents.get(at)) {
            path.add(0, at);
        }
        for (int i = 0; i + 1 < path.size(); i++) {
            story.add(String.format("%3d  %s", i + 1, leading(rows.get(path.get(i)), rows.get(path.get(i + 1)))));
        }
        if (!last.isEmpty()) {
            story.add(String.format("%3d  %s", path.size(), last));
        }
        story.add("broken: " + broken);
        return story;
    }

    private String leading(Row from, Row to) {
        for (Event event : events(from)) {
            Row next = from.copy();
            try {
                event.does().accept(next);
            } catch (Violation violation) {
                continue;
            }
            if (next.equals(to)) {
                return event.says().get();
            }
        }
        throw new IllegalStateException("a state without a way to it");
    }
}
