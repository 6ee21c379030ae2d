package org.ulfmj.runtime.waits;

/**
 * What is known of one rank when the page is made: its own report, or why there is none.
 *
 * @param slot its rank in COMM_WORLD
 * @param report null if the rank gave none
 * @param standing if there is no report, what is to be said instead: {@code is dead (killed by signal 9 (KILL))}
 * @param isGone whether the rank is dead or has finalized, so that no other rank waits for it for long
 */
public record RankView(int slot, WaitReport report, String standing, boolean isGone) {
    public static RankView of(WaitReport report) {
        return new RankView(report.process().slot(), report, "", false);
    }

    /** Makes the view of a rank that gave no report though it may live. */
    public static RankView silent(int slot, String standing) {
        return new RankView(slot, null, standing, false);
    }

    public static RankView gone(int slot, String standing) {
        return new RankView(slot, null, standing, true);
    }

    /** Whether the rank's main thread waits in MPI, so that another rank holds this one up. */
    boolean isWaiting() {
        return report != null && report.main().kind() == Activity.Kind.WAITS;
    }
}
