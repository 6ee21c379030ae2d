package org.ulfmj.rendezvous.silence;

/** The report of one process, the complainer, that it hears nothing of another one, or has lost the link to it. */
final class Complaint {
    final Subject by;
    final Subject about;

    /** Whether the process that is complained of was sent a question since this complaint came. */
    boolean isTaken;

    /** Number of the question to the complainer whether it still hears nothing; 0 if the complainer was not asked. */
    long question;

    long askedNs;

    /** Whether the complainer still hears nothing, although the other process has sent heartbeats and answered. */
    boolean isConfirmed;

    /**
     * Whether the complainer has connected to the launcher anew, and has not repeated the complaint on the new
     * connection.
     */
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

    /** Makes the complaint count as unasked and unconfirmed, as if it had just come: the judge begins another case. */
    void reset() {
        isTaken = false;
        question = 0;
        isConfirmed = false;
    }
}
