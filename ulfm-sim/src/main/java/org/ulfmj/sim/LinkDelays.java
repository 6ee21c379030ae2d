package org.ulfmj.sim;

/**
 * How long messages of one schedule travel. Some schedules have slow links, some have single late messages; no drawn
 * travel time exceeds {@link #maxNs}.
 */
public final class LinkDelays {
    private final SeededRandom random;
    private final long unitNs;
    private final long maxNs;
    private final int slowLinksPercent;
    private final int slowFactor;
    private final int latePercent;

    /**
     * Draws the delays of a world. Slow links and late messages, each if drawn, are items of the world's plan.
     *
     * @param unitNs usual travel time
     * @param maxNs τ: no drawn travel time is longer
     */
    public LinkDelays(Simulation world, long unitNs, long maxNs) {
        this.random = world.random("delays");
        this.unitNs = unitNs;
        this.maxNs = maxNs;
        boolean someAreSlow = !random.chance(40);
        this.slowFactor = random.chance(50) ? 5 : 30;
        boolean someAreLate = !random.chance(50);
        this.slowLinksPercent = someAreSlow && world.plans("slow links") ? 30 : 0;
        this.latePercent = someAreLate && world.plans("late messages") ? 5 : 0;
    }

    public long unitNs() {
        return unitNs;
    }

    public long maxNs() {
        return maxNs;
    }

    /** Draws the factor of a new link: 1, or that of this schedule's slow links. */
    int drawFactor() {
        return slowLinksPercent > 0 && random.chance(slowLinksPercent) ? slowFactor : 1;
    }

    long drawNs(int factor) {
        long usualNs = random.between(unitNs / 4, 2 * unitNs) * factor;
        long delayNs = latePercent > 0 && random.chance(latePercent) ? usualNs * 20 : usualNs;
        return Math.min(delayNs, maxNs);
    }

    /** Draws a travel time like that of a message on a link with the factor 1. */
    public long delayNs() {
        return drawNs(1);
    }
}
