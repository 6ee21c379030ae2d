package org.ulfmj.testkit.sim;

import org.ulfmj.runtime.Durations;
import org.ulfmj.runtime.inject.Moment;

/**
 * One fault, with nothing left to chance. Its text is what a user would write.
 *
 * @param rank whom it meets
 * @param other the observer of a suspicion, the other end of a cut; −1 for other kinds
 * @param durationNs of a pause or a cut
 * @param moment when; null for {@link Kind#CRASH}
 * @param frame of {@link Kind#CRASH}: the rank dies before it sends its frame of this number, from 1
 */
record SimFault(Kind kind, int rank, int other, long durationNs, Moment moment, long frame) {
    /** What happens. */
    enum Kind {
        /** The rank dies and the others are told. */
        KILL,
        /** The rank dies and nobody is told: silence is all that shows it. */
        VANISH,
        /** The rank dies between two frames that it sends. */
        CRASH,
        /** Another rank declares it failed, though it lives. */
        SUSPECT,
        /** It stands still. */
        PAUSE,
        /** Nothing arrives between two ranks, in either direction. */
        CUT;

        String action() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    static SimFault death(Kind kind, int rank, Moment moment) {
        return new SimFault(kind, rank, -1, 0, moment, 0);
    }

    static SimFault crash(int rank, long frame) {
        return new SimFault(Kind.CRASH, rank, -1, 0, null, frame);
    }

    static SimFault suspect(int rank, int by, Moment moment) {
        return new SimFault(Kind.SUSPECT, rank, by, 0, moment, 0);
    }

    static SimFault pause(int rank, long durationNs, Moment moment) {
        return new SimFault(Kind.PAUSE, rank, -1, durationNs, moment, 0);
    }

    static SimFault cut(int rank, int to, long durationNs, Moment moment) {
        return new SimFault(Kind.CUT, rank, to, durationNs, moment, 0);
    }

    /** Whether a rank that lives may be held for failed because of it, and ends then. */
    boolean mayFence() {
        return kind == Kind.PAUSE || kind == Kind.SUSPECT || kind == Kind.CUT;
    }

    boolean isDeath() {
        return kind == Kind.KILL || kind == Kind.VANISH || kind == Kind.CRASH;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind.action()).append(":rank=").append(rank);
        if (kind == Kind.SUSPECT) {
            text.append(":by=").append(other);
        } else if (kind == Kind.CUT) {
            text.append(":to=").append(other);
        }
        if (durationNs > 0) {
            text.append(":for=").append(Durations.text(durationNs));
        }
        return text.append('@')
                .append(moment == null ? "frame=" + frame : moment)
                .toString();
    }
}
