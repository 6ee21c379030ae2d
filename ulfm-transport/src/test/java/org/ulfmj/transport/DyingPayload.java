package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * A payload to send in whose copying the sender dies: after so many bytes it runs an action, and then throws
 * {@link SenderKilled}.
 */
public final class DyingPayload implements Payload {
    /** What a killed rank's thread gets. */
    public static final class SenderKilled extends Error {
        private static final long serialVersionUID = 1;
    }

    private final Payload whole;
    private final int bytes;
    private final Runnable atDeath;

    public DyingPayload(Payload whole, int bytes, Runnable atDeath) {
        this.whole = whole;
        this.bytes = bytes;
        this.atDeath = atDeath;
    }

    @Override
    public long lengthBytes() {
        return whole.lengthBytes();
    }

    @Override
    public void copyOut(long offset, ByteBuffer target) {
        target.limit(target.position() + bytes);
        whole.copyOut(offset, target);
        atDeath.run();
        throw new SenderKilled();
    }

    @Override
    public void copyIn(long offset, ByteBuffer source) {
        throw new IllegalStateException("a payload to send");
    }
}
