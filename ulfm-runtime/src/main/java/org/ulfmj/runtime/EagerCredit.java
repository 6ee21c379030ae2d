package org.ulfmj.runtime;

/**
 * How much payload two ranks may send each other before a receive for it exists. Both directions count bytes from the
 * start, so that a repeated or late grant does no harm: the sender may have sent up to a total, the receiver raises that
 * total as its program takes messages. Messages without payload never wait for it.
 */
final class EagerCredit {
    private final long windowBytes;
    private long sentBytes;
    private long sendLimitBytes;
    private long takenBytes;
    private long grantedBytes;

    EagerCredit(long windowBytes) {
        this.windowBytes = windowBytes;
        this.sendLimitBytes = windowBytes;
        this.grantedBytes = windowBytes;
    }

    boolean allows(long bytes) {
        return bytes == 0 || sentBytes + bytes <= sendLimitBytes;
    }

    void onSent(long bytes) {
        sentBytes += bytes;
    }

    /** The peer allows so many bytes in all. */
    void onGrant(long totalBytes) {
        sendLimitBytes = Math.max(sendLimitBytes, totalBytes);
    }

    /** Payload of the peer left our memory; true if it is time to tell it {@link #grant}. */
    boolean onTaken(long bytes) {
        takenBytes += bytes;
        return takenBytes + windowBytes - grantedBytes >= windowBytes / 2 && bytes > 0;
    }

    /** How many bytes in all the peer may send. */
    long grant() {
        grantedBytes = takenBytes + windowBytes;
        return grantedBytes;
    }
}
