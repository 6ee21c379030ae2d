package org.ulfmj.runtime.waits;

/**
 * The knowledge about one rank when the page of waits is made: its report, or the reason why there is none.
 *
 * @param slot its rank in COMM_WORLD
 * @param report null if the rank gave none
 * @param standing the words about the rank if there is no report: {@code is dead (killed by signal 9 (KILL))}
 * @param isGone whether the rank is dead or has finalized, so that waits for it end soon
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

    /** Whether the rank gave a report, and by that report its main thread waits in MPI. */
    boolean isWaiting() {
        return report != null && report.main().kind() == Activity.Kind.WAITS;
    }
}
