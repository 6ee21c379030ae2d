package org.ulfmj.transport.session;

/**
 * Decides when a link acknowledges received frames (rule L10): at once if the sender asks for it, a frame came a second
 * time, or 256 KiB have come; else after 20 ms. A frame that is sent to the peer meanwhile carries the acknowledgement.
 */
final class AckPace {
    static final int BYTES = 256 * 1024;
    static final long DELAY_NS = 20_000_000;

    private long unacknowledgedBytes;
    private long dueNs = Long.MAX_VALUE;

    void onDelivered(int bytes, boolean atOnce, long nowNs) {
        unacknowledgedBytes += bytes;
        if (atOnce || unacknowledgedBytes >= BYTES) {
            dueNs = nowNs;
        } else if (dueNs == Long.MAX_VALUE) {
            dueNs = nowNs + DELAY_NS;
        }
    }

    /**
     * A frame came a second time, so its sender has not received the acknowledgement: another acknowledgement is due at
     * once.
     */
    void onRepeated(long nowNs) {
        dueNs = nowNs;
    }

    void onSent() {
        unacknowledgedBytes = 0;
        dueNs = Long.MAX_VALUE;
    }

    boolean isOwed() {
        return dueNs != Long.MAX_VALUE;
    }

    long dueNs() {
        return dueNs;
    }
}
