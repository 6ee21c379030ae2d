package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.transport.Payload;

/**
 * A buffer argument of a collective call that notes whether the operation has used its packed elements, as one that
 * goes by messages does, and whether it was a started operation that failed.
 */
class NotedBuffer implements CollectiveBuffer {
    private final Payload payload;
    private ByteBuffer packed;
    private boolean isForgotten;

    NotedBuffer(Payload payload) {
        this.payload = payload;
    }

    boolean wentByMessages() {
        return packed != null;
    }

    boolean isForgotten() {
        return isForgotten;
    }

    @Override
    public void forget() {
        isForgotten = true;
    }

    @Override
    public Payload payload() {
        return payload;
    }

    @Override
    public ByteBuffer packed() {
        if (packed == null) {
            packed = ByteBuffer.allocateDirect((int) payload.lengthBytes()).order(ByteOrder.nativeOrder());
        }
        return packed;
    }

    @Override
    public Blocks blocks() {
        throw new UnsupportedOperationException("one part only");
    }

    @Override
    public void pack() {
        payload.copyOut(0, packed().duplicate());
    }

    @Override
    public void packPart(int rank) {
        throw new UnsupportedOperationException("one part only");
    }

    @Override
    public void unpack() {
        payload.copyIn(0, packed().duplicate());
    }
}
