package org.ulfmj.rendezvous.silence;

/** One process says that it hears nothing of another. */
final class Complaint {
    final Subject by;
    final Subject about;

    /** Whether the process that is complained of was asked since this complaint came. */
    boolean isTaken;

    /** Number of the question to the complainer; 0 if the complainer was not asked. */
    long question;

    long askedNs;

    /** Whether the complainer still hears nothing, although the other process has sent heartbeats and answered. */
    boolean isConfirmed;

    /** Whether the complainer has another connection now, and has not made the complaint again on that one. */
    boolean isStale;

    Complaint(Subject by, Subject about) {
        this.by = by;
        this.about = about;
    }

    /** The complainer has another connection. */
    void doubt() {
        isStale = true;
        question = 0;
        isConfirmed = false;
    }

    /** Makes the complaint new again: another case begins. */
    void reset() {
        isTaken = false;
        question = 0;
        isConfirmed = false;
    }
}
