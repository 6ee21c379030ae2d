package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.Strangers;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * Callers that are no ranks, or that send what no rank sends: they are refused or cut off, and no event is reported at
 * the rank that they call.
 */
@Timeout(120)
class RudeCallersTest extends TcpPair {
    /** A connection by hand in the place of rank 1, which proves itself and which rank 0 accepts. */
    private RawPeer provenPeer() throws IOException, HandshakeException {
        RawPeer peer = new RawPeer(world.fabric(0).port());
        assertThat(peer.shakeHands(
                                world.secret,
                                TcpWorld.OPTIONS_HASH,
                                TcpWorld.identity(1),
                                TcpWorld.identity(0),
                                this::poll)
                        .isAccepted())
                .isTrue();
        return peer;
    }

    private boolean isClosedByFabric(RawPeer peer) {
        ByteBuffer waste = ByteBuffer.allocate(1000);
        return peer.read(waste) < 0;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldCloseAConnectionThatTalksGarbage(long seed) throws IOException {
        try (RawPeer stranger = new RawPeer(world.fabric(0).port())) {
            byte[] garbage = Frames.bytes(1 + new Random(seed).nextInt(5_000), seed);
            // The first bytes are a length in range, so that the garbage is not refused for its length.
            garbage[0] = 100;
            if (garbage.length > 1) {
                garbage[1] = 0;
            }
            stranger.write(garbage);
            pollUntil(() -> isClosedByFabric(stranger));
        }
        shouldStillWork();
    }

    @Test
    void shouldCloseADialerThatDoesNotKnowTheSecret() throws IOException {
        try (RawPeer stranger = new RawPeer(world.fabric(0).port())) {
            JobSecret other = JobSecret.random();
            try {
                stranger.shakeHands(
                        other, TcpWorld.OPTIONS_HASH, TcpWorld.identity(1), TcpWorld.identity(0), this::poll);
                assertThat(false).as("answered a stranger").isTrue();
            } catch (HandshakeException | IOException expected) {
                pollUntil(() -> isClosedByFabric(stranger));
            }
        }
        shouldStillWork();
    }

    @Test
    void shouldTellAProvenDialerThatOptionsDiffer() throws IOException, HandshakeException {
        try (RawPeer peer = new RawPeer(world.fabric(0).port())) {
            String text = peer.shakeHands(world.secret, 0xbad, TcpWorld.identity(1), TcpWorld.identity(0), this::poll)
                    .text();
            assertThat(text).contains("b0e", "bad", "same ulfm.* options");
        }
        shouldStillWork();
    }

    @Test
    void shouldRefuseAProvenDialerThatWantsAnotherProcess() throws IOException, HandshakeException {
        try (RawPeer peer = new RawPeer(world.fabric(0).port())) {
            LinkIdentity somebody = new LinkIdentity(ZERO, 4711);
            assertThat(peer.shakeHands(world.secret, TcpWorld.OPTIONS_HASH, TcpWorld.identity(1), somebody, this::poll)
                            .isAccepted())
                    .isFalse();
            pollUntil(() -> isClosedByFabric(peer));
        }
        shouldStillWork();
    }

    @Test
    void shouldCloseTheOldestStrangerWhenThereAreTooMany() throws IOException {
        List<RawPeer> strangers = new ArrayList<>();
        for (int i = 0; i < Strangers.MAX + 5; i++) {
            strangers.add(new RawPeer(world.fabric(0).port()));
            poll();
        }
        pollUntil(() -> isClosedByFabric(strangers.get(4)));
        assertThat(world.fabric(0).strangers().count()).isLessThanOrEqualTo(Strangers.MAX);
        for (RawPeer stranger : strangers) {
            stranger.close();
        }
        shouldStillWork();
    }

    @Test
    void shouldCloseAStrangerThatSaysNothingForTheHandshakeTime() throws IOException {
        try (RawPeer stranger = new RawPeer(world.fabric(0).port())) {
            long start = System.nanoTime();
            pollUntil(() -> isClosedByFabric(stranger));
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TIMING.linkRtoNs() * 9 / 10);
        }
        assertThat(world.fabric(0).strangers().count()).isZero();
        shouldStillWork();
    }

    @Test
    void shouldNotDeliverHalfAFrame() throws IOException, HandshakeException {
        byte[] whole = RawPeer.envelope(1, 0, Frames.numbered(1, Frames.bytes(5_000, 1)));
        byte[] second = RawPeer.envelope(2, 0, Frames.numbered(2, Frames.bytes(5_000, 2)));
        try (RawPeer peer = provenPeer()) {
            peer.write(whole);
            peer.write(Arrays.copyOf(second, second.length / 2));
        }
        pollUntil(() -> !received[0].frames.isEmpty());
        for (int i = 0; i < 100; i++) {
            poll();
        }

        assertThat(received[0].events).as("the loss of a connection is no news").isEmpty();
        assertThat(received[0].sequences()).containsExactly(1);
    }

    @Test
    void shouldCloseTheConnectionOfAPeerWhoseFrameFailsItsChecksum() throws IOException, HandshakeException {
        byte[] bytes = RawPeer.envelope(1, 0, Frames.numbered(1, Frames.bytes(500, 1)));
        bytes[200] ^= 1;
        try (RawPeer peer = provenPeer()) {
            peer.write(bytes);
            pollUntil(() -> isClosedByFabric(peer));
        }
        assertThat(received[0].events).isEmpty();
        assertThat(received[0].frames).isEmpty();
    }

    @Test
    void shouldCloseTheConnectionOfAPeerThatAnnouncesTooMuch() throws IOException, HandshakeException {
        byte[] bytes = RawPeer.envelope(1, 0, Frames.numbered(1));
        bytes[LinkEnvelope.LENGTH_OFFSET + 3] = 0x7f;
        try (RawPeer peer = provenPeer()) {
            peer.write(bytes);
            pollUntil(() -> isClosedByFabric(peer));
        }
        assertThat(received[0].events).isEmpty();
    }

    @Test
    void shouldCloseTheConnectionOfAPeerThatAcknowledgesWhatWasNeverWritten() throws IOException, HandshakeException {
        try (RawPeer peer = provenPeer()) {
            peer.write(RawPeer.envelope(1, 3, Frames.numbered(1)));
            pollUntil(() -> isClosedByFabric(peer));
        }
        assertThat(received[0].events).as("neither rank ends").isEmpty();
        assertThat(received[0].frames).isEmpty();
    }

    @Test
    void shouldDropWhatComesTwiceAndCloseTheConnectionAtAGap() throws IOException, HandshakeException {
        try (RawPeer peer = provenPeer()) {
            peer.write(RawPeer.envelope(1, 0, Frames.numbered(1)));
            peer.write(RawPeer.envelope(1, 0, Frames.numbered(1)));
            peer.write(RawPeer.envelope(2, 0, Frames.numbered(2)));
            peer.write(RawPeer.envelope(4, 0, Frames.numbered(4)));
            pollUntil(() -> isClosedByFabric(peer));
        }
        assertThat(received[0].events).isEmpty();
        assertThat(received[0].sequences()).containsExactly(1, 2);
    }
}
