package org.ulfmj.runtime.transfer;

/**
 * How many messages one rank may announce to another on a communicator, counted by the receiver. Announcements that
 * wait for their receive take memory, so their number is bounded: the sender may have {@link #MESSAGES} more announced
 * than were taken, and as many again each time that the receiver looks in vain for a message of this sender: that
 * message may be among those that the sender has kept back. Both sides count from the start, so that a repeated or late
 * grant does no harm.
 */
final class OfferWindow {
    static final int MESSAGES = 4096;

    final Peer from;
    final int source;

    /** Whether {@link OfferWindows} lists this window as used up. */
    boolean isListed;

    private long heard;
    private long taken;
    private long granted = MESSAGES;

    OfferWindow(Peer from, int source) {
        this.from = from;
        this.source = source;
    }

    /** An announcement arrived. */
    void onHeard() {
        heard++;
    }

    /** An announced message was matched; true if it is time to tell the sender {@link #grantTaken}. */
    boolean onTaken() {
        taken++;
        return taken + MESSAGES - granted >= MESSAGES / 2;
    }

    /** Whether the sender may announce no more. Then it may be keeping back the message that a receive waits for. */
    boolean isUsedUp() {
        return heard >= granted;
    }

    /** Allows {@link #MESSAGES} announcements more than were taken. Returns how many the sender may make in all. */
    long grantTaken() {
        granted = Math.max(granted, taken + MESSAGES);
        return granted;
    }

    /**
     * Allows {@link #MESSAGES} announcements more than arrived, for a receive that finds no message among them. Returns
     * how many the sender may make in all.
     */
    long grantMore() {
        granted = heard + MESSAGES;
        return granted;
    }
}
