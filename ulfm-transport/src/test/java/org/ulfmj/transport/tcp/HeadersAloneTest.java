package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.ByteChannelOf;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.Payload;

/** ADR 60: the read after a placed piece takes headers alone, so the next piece is placed from its first byte on. */
class HeadersAloneTest {
    private static final int PIECE_BYTES = 128 * 1024;

    private final Payload message = new BufferPayload(ByteBuffer.allocateDirect(2 * PIECE_BYTES));
    private final FrameDecoder decoder = new FrameDecoder();
    private final DirectPlacement placement = new DirectPlacement(chunk -> message);

    private byte[] piece(int number) {
        return RawPeer.envelopeWithin(
                number + 1, new Frame().writeChunk(5, message, number * PIECE_BYTES, PIECE_BYTES));
    }

    @Test
    void shouldTakeHeadersAloneAlsoIfTheSocketIsEmptyAtFirst() throws IOException {
        ByteChannelOf first = new ByteChannelOf(piece(0));
        decoder.read(first);
        assertThat(decoder.next()).isFalse();
        assertThat(placement.begin(decoder, new Frame())).isTrue();
        while (!placement.isComplete()) {
            placement.read(first, decoder);
        }
        placement.finish();
        decoder.read(new ByteChannelOf(new byte[0])); // nothing is there yet: the receiver is faster than the sender

        assertThat(decoder.read(new ByteChannelOf(piece(1)))).isEqualTo(LinkEnvelope.BYTES + FrameLayout.HEADER_BYTES);
    }
}
