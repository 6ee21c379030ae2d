package org.ulfmj.rendezvous.silence;

import org.ulfmj.protocol.ProcessId;

/** One process that is judged, and the judge's knowledge of it. Times are those of the {@link JudgeClock}. */
final class Subject {
    final ProcessId id;

    /** Whether the process can be asked, may complain and be complained of; else it is judged by its state alone. */
    boolean isMember;

    /** Whether SIGKILL did not end the process, and all have marked it failed. */
    boolean isGivenUp;

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

    /** When the last question has to be answered. */
    long dueNs;

    /** Whether the process has answered since the newest complaint about it. */
    boolean hasAnswered;

    long answeredNs;

    Subject(ProcessId id) {
        this.id = id;
    }

    boolean isJudged() {
        return isMember && !isGivenUp;
    }
}
