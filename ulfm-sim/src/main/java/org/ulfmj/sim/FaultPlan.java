package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which faults hit a schedule, and when. Each kind is wholly absent from a part of the schedules, since a fault that is
 * always there hides what happens without it.
 *
 * @param crashes processes that die
 * @param suspicions processes that are marked failed although they run
 * @param pauses processes that stand still for a while
 * @param sleeps times at which all processes stand still together
 * @param cuts links that carry nothing for a while, or for ever
 * @param lags processes whose program is slow
 * @param notices which ranks the launcher tells of the end of a process
 */
public record FaultPlan(
        List<Crash> crashes,
        List<Suspicion> suspicions,
        List<Pause> pauses,
        List<Sleep> sleeps,
        List<Cut> cuts,
        List<Lag> lags,
        Notices notices) {
    /**
     * Stands for "never" where a number of sends is expected: a crash then comes at its time, and a suspecting process
     * lives on.
     */
    public static final int NEVER = -1;

    /** Stands for every sort where a sort of message is expected. */
    public static final int ANY = -1;

    /** Stands for "no end" where a duration is expected: the cut never heals. */
    public static final long FOR_EVER = -1;

    private static final int MOST_CUTS = 3;

    /**
     * The fault that a process dies.
     *
     * @param afterSends the number of sends, counted from {@code atNs} on, after which the process dies; 0 for the end
     *     of the first step after {@code atNs}, {@link #NEVER} for {@code atNs} itself. Sends of background messages
     *     are not counted
     * @param sort which sends are counted: those of one sort of message, or {@link #ANY}
     */
    public record Crash(int node, long atNs, int afterSends, int sort) {
        @Override
        public String toString() {
            String when = afterSends == NEVER
                    ? ""
                    : afterSends == 0
                            ? ", at the end of the next step"
                            : ", in the midst of" + " sending: message " + afterSends
                                    + (sort == ANY ? "" : " of sort " + sort) + " is the last";
            return "crash of " + node + at(atNs) + when;
        }
    }

    /**
     * The fault that a running process is marked failed by another one.
     *
     * @param diesAfterSends after how many further sends the suspecting process dies, so that the obituary may be lost;
     *     0 for the end of its next step, {@link #NEVER} if it lives on. Sends of background messages are not counted
     */
    public record Suspicion(int by, int about, long atNs, int diesAfterSends) {
        @Override
        public String toString() {
            return "false suspicion: " + by + " suspects " + about + at(atNs)
                    + (diesAfterSends == NEVER ? "" : ", and dies " + diesAfterSends + " messages later");
        }
    }

    /** A process stands still. */
    public record Pause(int node, long atNs, long durationNs) {
        @Override
        public String toString() {
            return "pause of " + node + at(atNs) + " for " + milliseconds(durationNs);
        }
    }

    /**
     * The fault that the host stands still, as a laptop does whose lid is closed: all processes pause at one time, and
     * resume at different times.
     */
    public record Sleep(long atNs, long durationNs) {
        @Override
        public String toString() {
            return "sleep of the host" + at(atNs) + " for " + milliseconds(durationNs);
        }
    }

    /**
     * The fault that a link carries nothing. If the cut heals before the sender ends, the messages that were held
     * arrive after that, those of a stream in order. Otherwise they are lost.
     *
     * @param bothWays whether also from {@code to} to {@code from}
     * @param durationNs {@link #FOR_EVER} if it does not heal
     */
    public record Cut(int from, int to, boolean bothWays, long atNs, long durationNs) {
        public boolean isLasting() {
            return durationNs == FOR_EVER;
        }

        @Override
        public String toString() {
            return "cut between " + from + " and " + to + (bothWays ? "" : ", in this direction only,") + at(atNs)
                    + (isLasting() ? " for ever" : " for " + milliseconds(durationNs));
        }
    }

    /**
     * The fault that the program of a process does not call anything for a while, so that others may have to wait for
     * it.
     */
    public record Lag(int node, long atNs, long durationNs) {
        @Override
        public String toString() {
            return "slow program of " + node + at(atNs) + " for " + milliseconds(durationNs);
        }
    }

    private static String at(long atNs) {
        return " at " + milliseconds(atNs);
    }

    private static String milliseconds(long durationNs) {
        return String.format(Locale.ROOT, "%.3f ms", durationNs / 1e6);
    }

    /** Which ranks the launcher tells of the end of a process. */
    public enum Notices {
        ALL,
        SOME,
        NONE
    }

    /**
     * The limits of what may go wrong in one schedule.
     *
     * @param crashes the most crashes
     * @param suspicions the most false suspicions; one more may answer the first
     * @param sorts how many sorts of messages there are, so that some crashes can be aimed at one
     * @param shortPauseNs the longest pause and the longest cut of the short sort; 0 for no pauses and no sleeps
     * @param unnoticedNs how long all pauses of a plan together may be without causing a suspicion
     * @param longPauseNs the longest pause of the long sort, the longest sleep, the longest slowness of a program and
     *     the longest cut of the long sort that heals
     * @param cuts whether links may be cut and programs may be slow
     */
    public record Limits(
            int crashes,
            int suspicions,
            int sorts,
            long shortPauseNs,
            long unnoticedNs,
            long longPauseNs,
            boolean cuts) {
        /**
         * Makes limits without cuts and slow programs. All pauses together may be as long as a short pause without
         * causing a suspicion.
         */
        public Limits(int crashes, int suspicions, int sorts, long shortPauseNs, long longPauseNs) {
            this(crashes, suspicions, sorts, shortPauseNs, shortPauseNs, longPauseNs, false);
        }
    }

    /** A plan without faults. */
    public static FaultPlan none() {
        return new FaultPlan(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), Notices.ALL);
    }

    /** Draws the plan of a world, without the items that the schedule leaves out. */
    public static FaultPlan draw(Simulation world, int nodes, long windowNs, Limits limits) {
        return draw(world.random("faults"), nodes, windowNs, limits).within(world);
    }

    private FaultPlan within(Simulation world) {
        return new FaultPlan(
                crashes.stream().filter(world::plans).toList(),
                suspicions.stream().filter(world::plans).toList(),
                pauses.stream().filter(world::plans).toList(),
                sleeps.stream().filter(world::plans).toList(),
                cuts.stream().filter(world::plans).toList(),
                lags.stream().filter(world::plans).toList(),
                notices);
    }

    /** Returns the sum of the durations of all pauses, each of which is of one process. */
    public long pausesNs() {
        return pauses.stream().mapToLong(Pause::durationNs).sum();
    }

    /** Returns the sum of the durations of all cuts that heal. */
    public long cutsNs() {
        return cuts.stream()
                .filter(cut -> !cut.isLasting())
                .mapToLong(Cut::durationNs)
                .sum();
    }

    /** Draws a plan whose faults have their times within {@code windowNs}, or at most a twentieth of it later. */
    public static FaultPlan draw(SeededRandom random, int nodes, long windowNs, Limits limits) {
        Notices notices = Notices.values()[random.below(Notices.values().length)];
        List<Crash> crashes =
                limits.crashes() > 0 && random.chance(80) ? drawCrashes(random, nodes, windowNs, limits) : List.of();
        List<Suspicion> suspicions = limits.suspicions() > 0 && nodes > 1 && random.chance(50)
                ? drawSuspicions(random, nodes, windowNs, limits.suspicions())
                : List.of();
        List<Pause> pauses = limits.shortPauseNs() > 0 && random.chance(30)
                ? drawPauses(random, nodes, windowNs, limits)
                : List.of();
        List<Sleep> sleeps = limits.shortPauseNs() > 0 && pauses.isEmpty() && random.chance(5)
                ? List.of(new Sleep(random.between(0, windowNs), random.between(0, limits.longPauseNs())))
                : List.of();
        List<Cut> cuts =
                limits.cuts() && nodes > 1 && random.chance(30) ? drawCuts(random, nodes, windowNs, limits) : List.of();
        List<Lag> lags = limits.cuts() && random.chance(20)
                ? List.of(new Lag(
                        random.below(nodes), random.between(0, windowNs), random.between(0, limits.longPauseNs())))
                : List.of();
        List<Suspicion> mutual = suspicions.isEmpty() || random.chance(70)
                ? suspicions
                : withAnswer(suspicions, random.between(0, windowNs / 50));
        return new FaultPlan(crashes, mutual, pauses, sleeps, cuts, lags, notices);
    }

    /**
     * Returns the list with an answer to its first suspicion at the end: the suspected process suspects the process
     * that suspects it, {@code laterNs} later.
     */
    private static List<Suspicion> withAnswer(List<Suspicion> suspicions, long laterNs) {
        Suspicion first = suspicions.get(0);
        List<Suspicion> mutual = new ArrayList<>(suspicions);
        mutual.add(new Suspicion(first.about(), first.by(), first.atNs() + laterNs, NEVER));
        return mutual;
    }

    /** Draws cuts of single links, or of the links between one process and others, in one direction or both. */
    private static List<Cut> drawCuts(SeededRandom random, int nodes, long windowNs, Limits limits) {
        boolean ofOne = random.chance(30);
        boolean bothWays = random.chance(50);
        long commonNs = random.between(0, windowNs);
        int[] order = shuffled(random, nodes);
        List<Cut> cuts = new ArrayList<>();
        for (int left = ofOne ? random.below(nodes) + 1 : 1 + random.below(MOST_CUTS); left > 0; left--) {
            int from = ofOne ? order[0] : random.below(nodes);
            int to = ofOne ? order[left % nodes] : (from + 1 + random.below(nodes - 1)) % nodes;
            long atNs = ofOne ? commonNs : random.between(0, windowNs);
            long durationNs = random.chance(30)
                    ? FOR_EVER
                    : random.between(0, random.chance(50) ? limits.shortPauseNs() : limits.longPauseNs());
            if (from != to) {
                cuts.add(
                        random.chance(50)
                                ? new Cut(from, to, bothWays, atNs, durationNs)
                                : new Cut(to, from, bothWays, atNs, durationNs));
            }
        }
        return cuts;
    }

    private static List<Crash> drawCrashes(SeededRandom random, int nodes, long windowNs, Limits limits) {
        int most = limits.crashes();
        int wanted = random.chance(50) ? 1 + random.below(Math.min(2, most)) : 1 + random.below(most);
        boolean together = random.chance(30);
        long commonNs = random.between(0, windowNs);
        int[] order = shuffled(random, nodes);
        List<Crash> crashes = new ArrayList<>();
        for (int i = 0; i < wanted; i++) {
            long atNs = together ? commonNs + random.between(0, windowNs / 20) : random.between(0, windowNs);
            if (random.chance(40)) {
                crashes.add(new Crash(order[i], atNs, NEVER, ANY));
            } else if (random.chance(50)) {
                crashes.add(new Crash(order[i], atNs, random.below(8), ANY));
            } else {
                crashes.add(new Crash(order[i], atNs / 2, 1 + random.below(3), random.below(limits.sorts())));
            }
        }
        return crashes;
    }

    private static List<Suspicion> drawSuspicions(SeededRandom random, int nodes, long windowNs, int most) {
        List<Suspicion> suspicions = new ArrayList<>();
        for (int left = 1 + random.below(most); left > 0; left--) {
            int by = random.below(nodes);
            int about = (by + 1 + random.below(nodes - 1)) % nodes;
            int diesAfterSends = random.chance(25) ? random.below(4) : NEVER;
            suspicions.add(new Suspicion(by, about, random.between(0, windowNs), diesAfterSends));
        }
        return suspicions;
    }

    private static List<Pause> drawPauses(SeededRandom random, int nodes, long windowNs, Limits limits) {
        int sort = random.below(3);
        int count = 1 + random.below(3);
        // The pauses of sort 1 may be, all together, as long as is allowed without a suspicion, so that the detector's
        // accuracy is tested at its limit.
        long longestNs =
                sort == 0 ? limits.shortPauseNs() : sort == 1 ? limits.unnoticedNs() / count : limits.longPauseNs();
        List<Pause> pauses = new ArrayList<>();
        for (int left = count; left > 0; left--) {
            long durationNs = random.between(longestNs / 10, longestNs);
            pauses.add(new Pause(random.below(nodes), random.between(0, windowNs), durationNs));
        }
        return pauses;
    }

    private static int[] shuffled(SeededRandom random, int nodes) {
        int[] order = new int[nodes];
        for (int i = 0; i < nodes; i++) {
            int j = random.below(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
