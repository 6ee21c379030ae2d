package org.ulfmj.rendezvous.silence;

import org.ulfmj.protocol.ProcessId;

/** One process that is judged, and what is known of it; dated by the {@link JudgeClock}. */
final class Subject {
    final ProcessId id;

    /** Whether it can be asked, may complain and be complained of; else it is judged by its state alone. */
    boolean isMember;

    /** SIGKILL did not end it, and all have marked it failed. */
    boolean isGivenUp;

    /** Seen in a state in which it cannot run, at each look since. */
    boolean isStill;

    char state;
    long stillSinceNs;
    long lookedNs;
    boolean isKillPending;

    /** When anything was last heard of it. */
    long heardNs;

    /** The last question that it was asked. */
    long question;

    long askedNs;

    /** Whether that is not answered. */
    boolean isOpen;

    /** Since when it owes an answer and has said nothing at all. */
    long owesSinceNs;

    /** Whether the open question is J2's: the last one. */
    boolean isLast;

    /** When that has to be answered. */
    long dueNs;

    /** Whether it has answered since the newest complaint about it. */
    boolean hasAnswered;

    long answeredNs;

    Subject(ProcessId id) {
        this.id = id;
    }

    boolean isJudged() {
        return isMember && !isGivenUp;
    }
}
