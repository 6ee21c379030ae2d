package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * Which faults hit a schedule, and when. Each kind is wholly absent from a part of the schedules, since a fault that is
 * always there hides what happens without it.
 *
 * @param crashes processes that die
 * @param suspicions processes that are held for failed although they run
 * @param pauses processes that stand still for a while
 * @param sleeps times at which all processes stand still together
 * @param notices whom the launcher tells of a death
 */
public record FaultPlan(
        List<Crash> crashes, List<Suspicion> suspicions, List<Pause> pauses, List<Sleep> sleeps, Notices notices) {
    /** Not a number of sends: the crash comes at its time, the suspecter lives on. */
    public static final int NEVER = -1;

    /** Not a sort of message: all of them. */
    public static final int ANY = -1;

    /**
     * A process dies.
     *
     * @param afterSends so many sends after {@code atNs}, 0 at the end of the first step then, {@link #NEVER} at
     *     {@code atNs} itself
     * @param sort which sends are counted: those of one sort of message, or {@link #ANY}
     */
    public record Crash(int node, long atNs, int afterSends, int sort) {}

    /**
     * A running process is held for failed.
     *
     * @param diesAfterSends the suspecter dies after so many sends of the very step, which may lose the obituary;
     *     {@link #NEVER} if it lives on
     */
    public record Suspicion(int by, int about, long atNs, int diesAfterSends) {}

    /** A process stands still. */
    public record Pause(int node, long atNs, long durationNs) {}

    /** The host stands still, as a laptop does whose lid is closed: all processes pause, and resume one after the other. */
    public record Sleep(long atNs, long durationNs) {}

    /** Whom the launcher tells of a death, each at a time of its own. */
    public enum Notices {
        ALL,
        SOME,
        NOBODY
    }

    /**
     * How much may go wrong in one schedule.
     *
     * @param crashes at most
     * @param suspicions at most
     * @param sorts how many sorts of messages there are, so that some crashes can be aimed at one
     * @param shortPauseNs longest pause that must not lead to a suspicion; 0 for no pauses
     * @param longPauseNs longest pause of all; not above {@code shortPauseNs} where nobody may be suspected by silence
     */
    public record Limits(int crashes, int suspicions, int sorts, long shortPauseNs, long longPauseNs) {}

    /** Nothing goes wrong. */
    public static FaultPlan none() {
        return new FaultPlan(List.of(), List.of(), List.of(), List.of(), Notices.ALL);
    }

    /** Draws a plan in which all faults begin within {@code windowNs}. */
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
        return new FaultPlan(crashes, suspicions, pauses, sleeps, notices);
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
        long longestNs = random.chance(50) ? limits.shortPauseNs() : limits.longPauseNs();
        List<Pause> pauses = new ArrayList<>();
        for (int left = 1 + random.below(3); left > 0; left--) {
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
