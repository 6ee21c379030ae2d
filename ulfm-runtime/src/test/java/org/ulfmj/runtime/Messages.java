package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.util.Random;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * Sends and receives of whole messages for tests, and bytes that follow from a seed, so that a receiver can check
 * whether it got the right ones.
 */
final class Messages {
    private Messages() {}

    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static Payload payload(byte[] bytes) {
        return new BufferPayload(ByteBuffer.wrap(bytes));
    }

    static void send(Communicator on, byte[] bytes, int dest, int tag) {
        send(on, bytes, dest, tag, SendMode.STANDARD);
    }

    static void send(Communicator on, byte[] bytes, int dest, int tag, SendMode mode) {
        Operation send = on.send(payload(bytes), dest, tag, mode);
        on.await(send);
        on.release(send);
    }

    /** Receives a message of at most {@code room} bytes and returns its bytes. */
    static byte[] receive(Communicator on, int room, int source, int tag) {
        byte[] bytes = new byte[room];
        Operation receive = on.receive(payload(bytes), source, tag);
        on.await(receive);
        byte[] result = java.util.Arrays.copyOf(bytes, (int) receive.lengthBytes());
        on.release(receive);
        return result;
    }
}
