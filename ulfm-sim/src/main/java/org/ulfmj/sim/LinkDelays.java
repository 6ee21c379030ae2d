package org.ulfmj.sim;

/**
 * How long messages of one schedule travel. Every schedule has a pace of its own, some have a few slow links, some have
 * single late messages; no delay exceeds {@link #maxNs}.
 */
public final class LinkDelays {
    private final SeededRandom random;
    private final long unitNs;
    private final long maxNs;
    private final int slowLinksPercent;
    private final int slowFactor;
    private final int latePercent;

    /**
     * @param unitNs usual travel time
     * @param maxNs τ: no message travels longer, waiting behind earlier ones of its link not counted
     */
    public LinkDelays(SeededRandom random, long unitNs, long maxNs) {
        this.random = random;
        this.unitNs = unitNs;
        this.maxNs = maxNs;
        this.slowLinksPercent = random.chance(40) ? 0 : 30;
        this.slowFactor = random.chance(50) ? 5 : 30;
        this.latePercent = random.chance(50) ? 0 : 5;
    }

    public long unitNs() {
        return unitNs;
    }

    public long maxNs() {
        return maxNs;
    }

    /** The factor of a new link: 1, or that of this schedule's slow links. */
    int drawFactor() {
        return slowLinksPercent > 0 && random.chance(slowLinksPercent) ? slowFactor : 1;
    }

    long drawNs(int factor) {
        long usualNs = random.between(unitNs / 4, 2 * unitNs) * factor;
        long delayNs = latePercent > 0 && random.chance(latePercent) ? usualNs * 20 : usualNs;
        return Math.min(delayNs, maxNs);
    }

    /** How long something travels that is no message of a network. */
    public long delayNs() {
        return drawNs(1);
    }
}
