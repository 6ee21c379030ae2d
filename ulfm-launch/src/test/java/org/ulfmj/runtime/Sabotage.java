package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * Brings the rank of this process into states that no correct library would bring about, for tests. The class is in
 * this package to reach the rank's engine.
 */
public final class Sabotage {
    private Sabotage() {}

    /** Makes the rank's progress thread, or the thread that polls next, fail with an error. */
    public static void breakInvariant(String what) {
        RankBinding.current().runtime().engine().post(control -> {
            throw new IllegalStateException(what);
        });
    }

    /**
     * Sends a message over COMM_WORLD, and runs an action after the bytes were copied into the lane and before their
     * record is committed.
     */
    public static void sendInterrupted(byte[] message, int dest, int tag, Runnable interruption) {
        Payload bytes = new BufferPayload(ByteBuffer.wrap(message));
        Payload interrupted = new Payload() {
            @Override
            public long lengthBytes() {
                return bytes.lengthBytes();
            }

            @Override
            public void copyOut(long offset, ByteBuffer target) {
                bytes.copyOut(offset, target);
                interruption.run();
            }

            @Override
            public void copyIn(long offset, ByteBuffer source) {
                throw new IllegalStateException("a message to send");
            }
        };
        RankBinding.current().runtime().world().sendAndWait(interrupted, dest, tag, SendMode.STANDARD);
    }
}
