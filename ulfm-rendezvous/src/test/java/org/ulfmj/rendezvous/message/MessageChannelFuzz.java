package org.ulfmj.rendezvous.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.util.List;
import java.util.Set;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the reader of the bytes that arrive on a connection to the launcher after the handshake. */
final class MessageChannelFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (RendezvousMessage message : List.of(
                new RendezvousMessage.Confirm(1),
                new RendezvousMessage.StoreAsk(7, 1, List.of(), new StoreRequest.Set("key", new byte[40])),
                new RendezvousMessage.Suspect(ProcessId.of(4)))) {
            byte[] body = RendezvousCodec.encode(message);
            out.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(body.length)
                    .array());
            out.writeBytes(body);
        }
        return List.of(out.toByteArray());
    }

    @Override
    public void parse(byte[] input) throws IOException {
        MessageChannel channel = new MessageChannel(new Fixed(input));
        while (channel.readMessage() != null) {
            // The next one.
        }
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(IOException.class);
    }

    /**
     * A member of the job may announce the longest allowed message and not send it, so memory for one such message is
     * allowed.
     */
    @Override
    public long capBytes(int lengthBytes) {
        return RendezvousCodec.MAX_MESSAGE_BYTES + 64 * 1024 + 64L * lengthBytes;
    }

    /** Gives out bytes, and then nothing more. */
    private static final class Fixed implements ByteChannel {
        private final ByteBuffer bytes;

        Fixed(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
        }

        @Override
        public int read(ByteBuffer target) {
            int count = Math.min(target.remaining(), bytes.remaining());
            target.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            return count;
        }

        @Override
        public int write(ByteBuffer source) {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
