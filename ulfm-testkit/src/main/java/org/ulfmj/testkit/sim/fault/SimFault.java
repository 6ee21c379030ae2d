package org.ulfmj.testkit.sim.fault;

import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.runtime.options.Durations;

/**
 * One fault, with nothing left to chance. Its text is the rule that a user would write.
 *
 * @param victim the rank that it hits; null for {@link Kind#LAUNCHER}
 * @param other the observer of a suspicion, or the other end of a cut; −1 for other kinds
 * @param durationNs of a pause or a cut
 * @param moment when it comes; null for {@link Kind#CRASH}
 * @param sent for {@link Kind#CRASH}, the point in its sends that the process does not reach
 */
public record SimFault(Kind kind, Victim victim, int other, long durationNs, Moment moment, SendPoint sent) {
    /** The kinds of faults. */
    public enum Kind {
        /** The rank dies and the others are told, in a world where deaths are told. */
        KILL,
        /** The rank dies and no rank is told of its death: only its silence shows it. */
        VANISH,
        /** The rank dies as it is about to send a frame or to store to shared memory. */
        CRASH,
        /** Another rank declares the rank failed, though it lives. */
        SUSPECT,
        /** The rank stands still for a time. */
        PAUSE,
        /** The rank stands still for ever, and does not end by itself. */
        MUTE,
        /** No frame arrives between two ranks, in either direction, for a time. */
        CUT,
        /** The launcher dies: it starts no process and tells of no death any more. */
        LAUNCHER;

        String action() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    public static SimFault death(Kind kind, Victim victim, Moment moment) {
        return new SimFault(kind, victim, -1, 0, moment, null);
    }

    public static SimFault crash(Victim victim, SendPoint sent) {
        return new SimFault(Kind.CRASH, victim, -1, 0, null, sent);
    }

    public static SimFault suspect(int rank, int by, Moment moment) {
        return new SimFault(Kind.SUSPECT, Victim.first(rank), by, 0, moment, null);
    }

    public static SimFault pause(Victim victim, long durationNs, Moment moment) {
        return new SimFault(Kind.PAUSE, victim, -1, durationNs, moment, null);
    }

    public static SimFault mute(Victim victim, Moment moment) {
        return new SimFault(Kind.MUTE, victim, -1, 0, moment, null);
    }

    public static SimFault cut(int rank, int to, long durationNs, Moment moment) {
        return new SimFault(Kind.CUT, Victim.first(rank), to, durationNs, moment, null);
    }

    public static SimFault launcher(Moment moment) {
        return new SimFault(Kind.LAUNCHER, null, -1, 0, moment, null);
    }

    public int rank() {
        return victim.rank();
    }

    /** Whether a live rank may be marked failed, or ended by the launcher, because of this fault. */
    public boolean mayFence() {
        return kind == Kind.PAUSE || kind == Kind.MUTE || kind == Kind.SUSPECT || kind == Kind.CUT;
    }

    public boolean isDeath() {
        return kind == Kind.KILL || kind == Kind.VANISH || kind == Kind.CRASH;
    }

    @Override
    public String toString() {
        if (kind == Kind.LAUNCHER) {
            return kind.action() + "@" + moment;
        }
        StringBuilder text = new StringBuilder(kind.action()).append(':').append(victim);
        if (kind == Kind.SUSPECT) {
            text.append(":by=").append(other);
        } else if (kind == Kind.CUT) {
            text.append(":to=").append(other);
        }
        if (durationNs > 0) {
            text.append(":for=").append(Durations.text(durationNs));
        }
        return text.append('@').append(moment == null ? sent : moment).toString();
    }
}
