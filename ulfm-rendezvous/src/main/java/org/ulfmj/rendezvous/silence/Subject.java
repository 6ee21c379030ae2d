package org.ulfmj.rendezvous.silence;

import org.ulfmj.protocol.ProcessId;

/** One process that is judged, and the judge's knowledge of it. Times are those of the {@link JudgeClock}. */
final class Subject {
    final ProcessId id;
    final Host host;

    /** Whether the process can be asked, may complain and be complained of; else it is judged by its state alone. */
    boolean isMember;

    /**
     * Whether a member complains, or has complained, of the process although it waits: then members have let it in, and
     * wait for its word. It is judged as a member, but complains of no process.
     */
    boolean isAwaited;

    /** Whether the process has answered a question since it runs, or is awaited. */
    boolean hasBegun;

    /** Whether the process has not been heard since another coordinator judged it: it has to find this one first. */
    boolean isToReturn;

    /** How long that may take at most, as long as the coordinator can be found. */
    long returnNs;

    /** Whether SIGKILL did not end the process, and all have marked it failed. */
    boolean isGivenUp;

    /**
     * J4: why all have marked the process failed, together with its silent host, although its end is not proven; null
     * if they have not.
     */
    String lostBecause;

    /** When SIGKILL was last sent to a process that was lost with its host. */
    long killedNs;

    /** When the process was lost with its host. */
    long lostNs;

    /** Whether each look since {@link #stillSinceNs} saw the process in a state in which it cannot run. */
    boolean isStill;

    char state;
    long stillSinceNs;
    long lookedNs;
    boolean isKillPending;

    /** When a message of the process last came. */
    long heardNs;

    /** The number of the last question to the process. */
    long question;

    long askedNs;

    /** Whether the last question is not answered yet. */
    boolean isOpen;

    /** Since when the process owes an answer and has sent no message at all. */
    long owesSinceNs;

    /** Whether the open question is the last one that the process gets: by J2 it is ended if it does not answer. */
    boolean isLast;

    /** Whether it is looked at since the last question was asked, and so seen to wait for a core if it does. */
    boolean isWatched;

    /** When the last question has to be answered. */
    long dueNs;

    /** Whether the process has answered since the newest complaint about it. */
    boolean hasAnswered;

    long answeredNs;

    /** When it first answered since the newest complaint about it. */
    long firstAnsweredNs;

    Subject(ProcessId id, Host host) {
        this.id = id;
        this.host = host;
    }

    boolean isJudged() {
        return (isMember || isAwaited) && !isOver();
    }

    /** Whether all have marked the process failed, although its end is not proven. */
    boolean isOver() {
        return isGivenUp || lostBecause != null;
    }
}
