package org.ulfmj.rendezvous.gather;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ulfmj.rendezvous.gather.Gathering.Phase;

/**
 * Simulates processes that gather over a store: requests come late, twice or never, answers get lost, processes die,
 * pause (some for longer than two leases) or are cut off from the store, members leave and join again.
 */
public final class GatheringStory {
    private static final long MS = 1_000_000;
    private static final long LEASE_MS = 1_000;
    private static final long FAULTS_END_MS = 40_000;
    private static final long END_MS = 90_000;

    private record Event(long atMs, long order, Runnable step) {}

    private final Random random;
    private final Terms terms;
    private final long lastCallMs;
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.atMs() != b.atMs() ? Long.compare(a.atMs(), b.atMs()) : Long.compare(a.order(), b.order()));
    private final SortedMap<Long, Long> beats = new TreeMap<>();
    private final SortedMap<Long, List<Place>> tables = new TreeMap<>();
    private final List<Process> processes = new ArrayList<>();
    private long nowMs;
    private long orders;
    private long version;
    private long nonces;
    private String state;
    private long stateVersion;
    private String wrong = "";
    private int rounds;

    private GatheringStory(long seed) {
        random = new Random(seed);
        terms = new Terms(1 + random.nextInt(2), 3, LEASE_MS);
        lastCallMs = random.nextBoolean() ? 200 : 2_000;
        state = GatheringText.write(Gathering.empty(terms));
    }

    /**
     * Plays {@link #stalePlan} once, and then this number of seeds, from the first one on. Returns what goes wrong
     * first, or that there were fewer rounds than seeds; empty if neither is the case.
     */
    public static String run(Long first, Long seeds) {
        String stale = stalePlan();
        if (!stale.isEmpty()) {
            return stale;
        }
        int rounds = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            GatheringStory story = new GatheringStory(seed);
            try {
                story.play();
            } catch (RuntimeException e) {
                return "seed " + seed + ": " + e;
            }
            if (!story.wrong.isEmpty()) {
                return "seed " + seed + ": " + story.wrong;
            }
            rounds += story.rounds;
        }
        return rounds < seeds ? "only " + rounds + " rounds in " + seeds + " seeds" : "";
    }

    /**
     * One process confirms and is then cut off; another one plans to drop it, and pauses before it writes that. The
     * first comes back and reads that the round is final. The paused process's write must fail, which it does only if
     * the first process has changed the state meanwhile.
     */
    private static String stalePlan() {
        Terms terms = new Terms(3, 3, LEASE_MS);
        Participant back = new Participant(1, terms, 0);
        Participant dropping = new Participant(2, terms, 0);
        Gathering last = Gathering.empty(terms)
                .join(1)
                .join(2)
                .join(3)
                .confirm(1)
                .confirm(2)
                .confirm(3);
        back.onBeat(0, 0);
        back.onWritten(0);
        dropping.isGone(1, 1, 0, 0);
        long backNs = 3 * LEASE_MS * MS;
        Gathering planned = dropping.isGone(1, 1, backNs, backNs) ? last.leave(1) : last;
        back.onBeat(backNs, backNs);
        boolean isUnchanged = back.next(last, backNs) == last && back.begin(last, backNs);
        return planned == last || isUnchanged ? "a process runs that another one is about to drop" : "";
    }

    private void play() {
        int count = 3 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            processes.add(new Process());
        }
        processes.forEach(process -> at(random.nextInt(3_000), process::start));
        while (!events.isEmpty() && wrong.isEmpty()) {
            Event event = events.remove();
            if (event.atMs() > END_MS) {
                break;
            }
            nowMs = event.atMs();
            event.step().run();
            requireOneRound();
        }
        long live = processes.stream().filter(process -> !process.isDead).count();
        Gathering last = GatheringText.read(state);
        if (wrong.isEmpty() && live >= terms.min()) {
            long running = processes.stream().filter(Process::runs).count();
            if (last.phase() != Phase.FINAL || running < 1) {
                wrong = "no round runs in the end, " + live + " live: " + last;
            }
            long dead = last.places().stream()
                    .filter(place -> place.status() != Place.Status.LEFT)
                    .filter(place -> processes.stream()
                            .noneMatch(process -> !process.isDead && process.me.nonce() == place.nonce()))
                    .count();
            long lost = processes.stream()
                    .filter(process -> !process.isDead && !process.runs())
                    .filter(process -> last.placeOf(process.me.nonce()) == null
                            || last.placeOf(process.me.nonce()).status() != Place.Status.WAITING)
                    .count();
            if (wrong.isEmpty() && lost > 0) {
                wrong = lost + " live processes neither run nor wait: " + last;
            }
            if (wrong.isEmpty() && dead > 0) {
                wrong = dead + " of the dead are in for ever: " + last;
            }
        }
    }

    private void at(long inMs, Runnable step) {
        events.add(new Event(nowMs + inMs, orders++, step));
    }

    private boolean faults() {
        return nowMs < FAULTS_END_MS;
    }

    private boolean chance(int inHundred) {
        return faults() && random.nextInt(100) < inHundred;
    }

    /**
     * Sends a request to the store. The request or its answer may be lost; then the process goes on after a time-out.
     */
    private void ask(Process from, Runnable atStore, Runnable answered, Runnable lost) {
        if (random.nextInt(500) == 0 && faults()) {
            from.cutUntilMs = nowMs + 500 + random.nextInt(4_000);
        }
        boolean isLost = chance(4) || nowMs < from.cutUntilMs;
        long thereMs = 1 + random.nextInt(20) + (chance(2) ? random.nextInt(4_000) : 0);
        at(thereMs, () -> {
            if (!isLost || random.nextBoolean()) {
                atStore.run();
            }
            if (!isLost) {
                at(1 + random.nextInt(20) + (chance(2) ? random.nextInt(2_000) : 0), () -> from.step(answered));
            }
        });
        if (isLost) {
            at(300, () -> from.step(lost));
        }
    }

    private void requireOneRound() {
        long round = -1;
        for (Process process : processes) {
            process.checkLease();
            if (process.isEndedWithoutReason()) {
                wrong = "a member of round " + process.round + " is over at " + nowMs
                        + " though it is in the state, and its lease has not run out";
            }
            if (process.runs()) {
                if (round >= 0 && process.round != round) {
                    wrong = "members of round " + round + " and of round " + process.round + " run at " + nowMs;
                }
                round = process.round;
                if (!GatheringText.read(state).isFinalFor(process.me.nonce())) {
                    wrong = "a process of round " + round + " runs at " + nowMs + " and is dropped";
                }
            }
        }
    }

    private final class Process {
        private Participant me = fresh();
        private long old;
        private long round = -1;
        /** Whether the lease has run out in the present round. */
        private boolean isLapsed;

        private boolean isDead;
        private long pausedUntilMs;
        private long cutUntilMs;

        private Participant fresh() {
            return new Participant(++nonces, terms, lastCallMs * MS);
        }

        boolean runs() {
            return !isDead && me.runs(nowMs * MS);
        }

        void checkLease() {
            isLapsed |= !me.holds(nowMs * MS);
        }

        boolean isEndedWithoutReason() {
            return !isDead
                    && round >= 0
                    && !isLapsed
                    && !me.runs(nowMs * MS)
                    && GatheringText.read(state).isFinalFor(me.nonce());
        }

        void start() {
            beat();
            read();
        }

        /**
         * Runs one step of the process: while it pauses, the step is put off; if it dies, this and all later steps are
         * left out.
         */
        void step(Runnable next) {
            if (isDead) {
                return;
            }
            if (nowMs < pausedUntilMs) {
                at(pausedUntilMs - nowMs, () -> step(next));
            } else if (random.nextInt(400) == 0 && faults()) {
                isDead = true;
            } else if (chance(1)) {
                pausedUntilMs = nowMs + 500 + random.nextInt(6_000);
                at(pausedUntilMs - nowMs, () -> step(next));
            } else {
                next.run();
            }
        }

        private void beat() {
            Participant beating = me;
            long sentMs = nowMs;
            Runnable again = () -> at(LEASE_MS / 3, () -> step(this::beat));
            ask(
                    this,
                    () -> beats.put(beating.nonce(), ++version),
                    () -> {
                        checkLease();
                        beating.onBeat(sentMs * MS, nowMs * MS);
                        look(beating, again);
                    },
                    again);
        }

        /** Looks for processes that are gone: reads the state first, then the keys of the processes in it. */
        private void look(Participant looking, Runnable done) {
            get(
                    (seenVersion, seen) -> {
                        looking.onState(seen);
                        look(looking, seenVersion, seen, seen, new ArrayList<>(seen.places()), done);
                    },
                    done);
        }

        private void look(
                Participant looking,
                long seenVersion,
                Gathering seen,
                Gathering rest,
                List<Place> left,
                Runnable done) {
            if (left.isEmpty() || !seen.has(looking.nonce())) {
                if (rest == seen) {
                    done.run();
                } else {
                    swap(looking, seenVersion, rest, done);
                }
                return;
            }
            Place place = left.remove(0);
            if (place.status() == Place.Status.LEFT || place.nonce() == looking.nonce()) {
                look(looking, seenVersion, seen, rest, left, done);
                return;
            }
            long sentMs = nowMs;
            long[] found = {0};
            ask(
                    this,
                    () -> found[0] = beats.getOrDefault(place.nonce(), 0L),
                    () -> {
                        boolean isGone = looking.isGone(place.nonce(), found[0], sentMs * MS, nowMs * MS);
                        look(looking, seenVersion, seen, isGone ? rest.leave(place.nonce()) : rest, left, done);
                    },
                    done);
        }

        private interface Found {
            void take(long version, Gathering state);
        }

        private void get(Found then, Runnable lost) {
            long[] at = {0};
            String[] found = {""};
            ask(
                    this,
                    () -> {
                        at[0] = stateVersion;
                        found[0] = state;
                    },
                    () -> then.take(at[0], GatheringText.read(found[0])),
                    lost);
        }

        private void swap(Participant by, long seenVersion, Gathering next, Runnable then) {
            long sentMs = nowMs;
            boolean[] isDone = {false};
            Consumer<boolean[]> atStore = done -> {
                if (stateVersion == seenVersion) {
                    state = GatheringText.write(next);
                    stateVersion = ++version;
                    done[0] = true;
                }
            };
            ask(
                    this,
                    () -> {
                        atStore.accept(isDone);
                        if (chance(3)) {
                            at(random.nextInt(5_000), () -> atStore.accept(new boolean[1]));
                        }
                    },
                    () -> {
                        if (isDone[0]) {
                            by.onWritten(sentMs * MS);
                        }
                        then.run();
                    },
                    then);
        }

        private void read() {
            Runnable again = () -> at(100, () -> step(this::read));
            if (round >= 0) {
                if (me.runs(nowMs * MS) && !(faults() && random.nextInt(60) == 0)) {
                    again.run();
                    return;
                }
                me.end();
                old = me.nonce();
                me = fresh();
                round = -1;
            }
            Participant reading = me;
            if (!me.holds(nowMs * MS)) {
                again.run();
                return;
            }
            get(
                    (seenVersion, seen) -> {
                        Gathering rest = old == 0 ? seen : seen.leave(old);
                        Place mine = rest.placeOf(reading.nonce());
                        if (mine != null && mine.status() == Place.Status.LEFT) {
                            old = reading.nonce();
                            me = fresh();
                            again.run();
                            return;
                        }
                        Gathering next = reading.next(rest, nowMs * MS);
                        if (next != seen) {
                            swap(reading, seenVersion, next, () -> step(this::read));
                            return;
                        }
                        if (reading.begin(seen, nowMs * MS)) {
                            round = seen.round();
                            isLapsed = false;
                            agree(seen);
                        }
                        again.run();
                    },
                    again);
        }

        private void agree(Gathering seen) {
            List<Place> members = seen.members();
            if (members.stream().anyMatch(place -> place.status() == Place.Status.CANDIDATE)) {
                wrong = "a member of round " + seen.round() + " runs before all have confirmed: " + members;
            }
            List<Long> names = members.stream().map(Place::nonce).toList();
            List<Place> before = tables.putIfAbsent(seen.round(), members);
            if (before == null) {
                rounds++;
            } else if (!before.stream().map(Place::nonce).toList().equals(names)) {
                wrong = "round " + seen.round() + " has the members " + before + " and " + members;
            }
            if (members.size() < terms.min() || members.size() > terms.max()) {
                wrong = "round " + seen.round() + " has " + members.size() + " members";
            }
        }
    }
}
