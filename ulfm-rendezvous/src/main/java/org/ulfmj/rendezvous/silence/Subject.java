package org.ulfmj.rendezvous.silence;

import org.ulfmj.protocol.ProcessId;

/** One process that is judged, and the judge's knowledge of it. Times are those of the {@link JudgeClock}. */
final class Subject {
    final ProcessId id;
    final Host host;

    /**
     * Whether the process is a member of the running world. A member can be asked, may complain and be complained of;
     * any other process is judged by its state in {@code /proc} alone, unless it is awaited.
     */
    boolean isMember;

    /**
     * Whether a member complains, or has complained, of the process although the process waits for a place: then the
     * members have let it in, and wait for its answer. It is judged as a member.
     */
    boolean isAwaited;

    /** Whether the process has answered a question of this coordinator. */
    boolean hasBegun;

    /**
     * Whether the process has not been heard since the time when another coordinator judged it: it has to find the
     * present coordinator first.
     */
    boolean isToReturn;

    /**
     * How long the process may take at least to return to the present coordinator, counted anew when that coordinator
     * can be found again.
     */
    long returnNs;

    /** Whether SIGKILL was pending and did not end the process, which then counts as failed without proof. */
    boolean isGivenUp;

    /**
     * J4: the reason for which the process counts as failed together with its silent host, although its end is not
     * proven; null if it does not.
     */
    String lostBecause;

    /**
     * When SIGKILL was last sent to a process that was lost with its host; before the first time, a timeout before the
     * loss.
     */
    long killedNs;

    /** When the process was lost with its host. */
    long lostNs;

    /**
     * Whether each look since {@link #stillSinceNs} saw the process in a state in which it cannot run, and no message
     * of the process has come since.
     */
    boolean isStill;

    char state;
    long stillSinceNs;
    long lookedNs;
    boolean isKillPending;

    /** When a message of the process last came; or, if that was later, the time from which its silence is counted. */
    long heardNs;

    /** The number of the latest question whether the process is there. */
    long question;

    long askedNs;

    /** Whether the question {@link #question} is not answered yet. */
    boolean isOpen;

    /** Since when the process owes an answer and has sent no message at all. */
    long owesSinceNs;

    /** Whether the open question is the last one that the process gets: by J2 it is ended if it does not answer. */
    boolean isLast;

    /**
     * Whether it was possible, in a step since the question of {@link #isLast} was asked, to tell whether the process
     * waits for a core.
     */
    boolean isWatched;

    /** When the question of {@link #isLast} has to be answered at the latest. */
    long dueNs;

    /** Whether the process has answered since the newest complaint about it, and since the judge last began anew. */
    boolean hasAnswered;

    long answeredNs;

    /** When the first of the answers came that {@link #hasAnswered} counts. */
    long firstAnsweredNs;

    Subject(ProcessId id, Host host) {
        this.id = id;
        this.host = host;
    }

    boolean isJudged() {
        return (isMember || isAwaited) && !isOver();
    }

    /** Whether the process counts as failed, although its end is not proven: it was given up, or lost with its host. */
    boolean isOver() {
        return isGivenUp || lostBecause != null;
    }
}
