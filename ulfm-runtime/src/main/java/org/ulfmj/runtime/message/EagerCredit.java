package org.ulfmj.runtime.message;

/**
 * How much two ranks may send each other before receives for it exist. The credit counts what a message costs at the
 * receiver, which keeps an entry for each message and rounds the payload up. So a receiver that computes holds bounded
 * memory however short the messages are. Both directions count bytes from the start, so that a repeated or late grant
 * does no harm: the sender may have sent up to a total, which the receiver raises as its program takes messages.
 */
public final class EagerCredit {
    /** The bytes that the receiver's entry for an unexpected message takes, with its places in the queues. */
    private static final int DESCRIPTION_BYTES = 448;

    private static final int LEAST_COST_BYTES = 512;

    private final long windowBytes;
    private long sentBytes;
    private long sendLimitBytes;
    private long takenBytes;
    private long grantedBytes;

    public EagerCredit(long windowBytes) {
        this.windowBytes = windowBytes;
        this.sendLimitBytes = windowBytes;
        this.grantedBytes = windowBytes;
    }

    /**
     * Returns how much credit a message that travels whole costs at its receiver; both sides compute it. Collectives
     * send empty messages and descriptions only to a member that is in the same operation or comes to it, so these cost
     * nothing.
     */
    public static long costBytes(int stream, long lengthBytes) {
        boolean passes = stream != MessageKey.POINT_TO_POINT && lengthBytes == 0;
        if (passes || stream == MessageKey.DESCRIPTION) {
            return 0;
        }
        return lengthBytes == 0 ? LEAST_COST_BYTES : DESCRIPTION_BYTES + PayloadMemory.capacityBytes((int) lengthBytes);
    }

    public boolean allows(long bytes) {
        return bytes == 0 || sentBytes + bytes <= sendLimitBytes;
    }

    /**
     * Whether the peer has taken so little of what this rank sent that it does not keep up: a peer that keeps up grants
     * more once it has taken half of the window.
     */
    public boolean isFarAhead() {
        return sentBytes + windowBytes - sendLimitBytes >= windowBytes / 2 + windowBytes / 16;
    }

    public void onSent(long bytes) {
        sentBytes += bytes;
    }

    /** Notes a grant of the peer: this rank's messages to the peer may cost this many bytes in all. */
    public void onGrant(long totalBytes) {
        sendLimitBytes = Math.max(sendLimitBytes, totalBytes);
    }

    /**
     * Notes that a message of the peer was received or dropped, and so needs no memory for unexpected messages here any
     * more. Returns true if it is time to send the peer a {@link #grant}.
     */
    public boolean onTaken(long bytes) {
        takenBytes += bytes;
        return takenBytes + windowBytes - grantedBytes >= windowBytes / 2 && bytes > 0;
    }

    /** How many bytes of credit this rank's messages to the peer have cost since the start. */
    public long sentBytes() {
        return sentBytes;
    }

    /**
     * How many bytes of credit those messages of the peer have cost that this rank has received or dropped since the
     * start.
     */
    public long takenBytes() {
        return takenBytes;
    }

    /**
     * Makes the grant of a full window. Returns the total number of bytes that the peer's messages may then have cost.
     */
    public long grant() {
        grantedBytes = takenBytes + windowBytes;
        return grantedBytes;
    }
}
