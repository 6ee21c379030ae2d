package org.ulfmj.rendezvous.silence;

/** One process says that it hears nothing of another. */
final class Complaint {
    final Subject by;
    final Subject about;

    /** The one complained of was asked with this complaint in mind. */
    boolean isTaken;

    /** The question to the complainer; 0 if it was not asked. */
    long question;

    long askedNs;

    /** It still hears nothing, although the other has beaten and answered. */
    boolean isConfirmed;

    Complaint(Subject by, Subject about) {
        this.by = by;
        this.about = about;
    }

    /** As at first: another case begins. */
    void reset() {
        isTaken = false;
        question = 0;
        isConfirmed = false;
    }
}
