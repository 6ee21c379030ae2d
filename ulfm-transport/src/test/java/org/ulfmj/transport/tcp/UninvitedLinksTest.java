package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.HandshakeAnswer;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.session.LinkRefusal;

/**
 * Callers that prove the job's secret but were not admitted. They call the fabric of rank 0, and are connections by
 * hand.
 */
@Timeout(120)
class UninvitedLinksTest {
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));
    private static final ProcessId ONE = ProcessId.of(1);
    private static final ProcessId NEXT = new ProcessId(1, 1);
    private static final LinkIdentity NEWCOMER = new LinkIdentity(NEXT, 77);

    private final TcpWorld world = new TcpWorld(2, TIMING);
    private final TcpFabric zero = world.fabric(0);
    private final Received received = new Received();

    @AfterEach
    void close() {
        world.close();
    }

    private void poll() {
        zero.pollWithSeat(received);
    }

    private void pollUntil(BooleanSupplier condition) {
        Polling.until(condition, this::poll);
    }

    private void pollAWhile() {
        for (int i = 0; i < 200; i++) {
            poll();
            Thread.yield();
        }
    }

    private RawPeer call() throws IOException {
        return new RawPeer(zero.port());
    }

    private HandshakeAnswer shakeHands(RawPeer peer, LinkIdentity from) throws IOException, HandshakeException {
        return peer.shakeHands(world.secret, TcpWorld.OPTIONS_HASH, from, TcpWorld.identity(0), this::poll);
    }

    private LinkRefusal refusalOf(LinkIdentity from) throws IOException, HandshakeException {
        try (RawPeer peer = call()) {
            HandshakeAnswer answer = shakeHands(peer, from);
            assertThat(answer.isAccepted()).isFalse();
            return LinkRefusal.of(answer.body());
        }
    }

    private boolean isClosed(RawPeer peer) {
        return peer.read(ByteBuffer.allocate(1000)) < 0;
    }

    private static MemberRecord record(LinkIdentity identity) {
        return new MemberRecord(identity.id(), identity.nonce(), 0, "127.0.0.1", 1, "", HostProcess.UNKNOWN);
    }

    @Test
    void shouldHoldWhatACallerSendsHoweverMuchItIs() throws IOException, HandshakeException {
        try (RawPeer peer = call()) {
            assertThat(shakeHands(peer, NEWCOMER).isAccepted()).isTrue();
            byte[] payload = Frames.bytes(Frame.MAX_PAYLOAD_BYTES, 1);
            int sent = 0;
            ByteBuffer next = ByteBuffer.wrap(RawPeer.envelope(1, 0, Frames.numbered(0, payload)));
            // Writes until the socket buffers of both ends are full: rank 0 keeps none of it in its own memory.
            for (int written = 1; written > 0; written = peer.channel.write(next)) {
                if (!next.hasRemaining()) {
                    sent++;
                    next = ByteBuffer.wrap(RawPeer.envelope(sent + 1, 0, Frames.numbered(sent, payload)));
                }
                pollAWhile();
                assertThat(sent).as("frames of 256 KiB").isLessThan(500);
            }
            assertThat(received.frames).isEmpty();
            zero.admit(record(NEWCOMER));
            ByteBuffer half = next;
            while (half.hasRemaining()) {
                peer.channel.write(half);
                poll();
            }
            int all = sent + 1;
            pollUntil(() -> received.frames.size() == all);
        }
        assertThat(received.sequences()).isSorted();
        assertThat(received.frames).allMatch(item -> item.from().equals(NEXT));
    }

    @Test
    void shouldHandOverWhatACallerSentThatHasEndedMeanwhile() throws IOException, HandshakeException {
        try (RawPeer peer = call()) {
            assertThat(shakeHands(peer, NEWCOMER).isAccepted()).isTrue();
            peer.write(RawPeer.envelope(1, 0, Frames.numbered(5)));
        }
        pollAWhile();
        assertThat(received.events).isEmpty();
        zero.admit(record(NEWCOMER));
        pollUntil(() -> received.frames.size() == 1);

        assertThat(received.events).as("the loss of a connection is no news").isEmpty();
    }

    @Test
    void shouldRefuseACallThatDoesNotKnowOfTheNewestConnection() throws IOException, HandshakeException {
        try (RawPeer first = call();
                RawPeer second = call()) {
            assertThat(shakeHands(first, NEWCOMER).isAccepted()).isTrue();
            first.write(RawPeer.envelope(1, 0, Frames.numbered(5)));
            assertThat(shakeHands(second, NEWCOMER).isAccepted()).isFalse();
        }
        zero.admit(record(NEWCOMER));
        pollUntil(() -> received.frames.size() == 1);
    }

    @Test
    void shouldRefuseAnotherProcessOfTheSameName() throws IOException, HandshakeException {
        zero.admit(record(NEWCOMER));
        LinkIdentity impostor = new LinkIdentity(NEXT, 78);

        assertThat(refusalOf(impostor)).isInstanceOf(LinkRefusal.NotMe.class);
        try (RawPeer peer = call()) {
            assertThat(shakeHands(peer, NEWCOMER).isAccepted()).isTrue();
        }
    }

    @Test
    void shouldBreakWithACallerWhoseNameWasGivenToAnother() throws IOException, HandshakeException {
        LinkIdentity impostor = new LinkIdentity(NEXT, 78);
        try (RawPeer wrong = call();
                RawPeer right = call()) {
            assertThat(shakeHands(wrong, impostor).isAccepted()).isTrue();
            wrong.write(RawPeer.envelope(1, 0, Frames.numbered(66)));
            zero.admit(record(NEWCOMER));
            pollUntil(() -> isClosed(wrong));
            assertThat(shakeHands(right, NEWCOMER).isAccepted()).isTrue();
            right.write(RawPeer.envelope(1, 0, Frames.numbered(5)));
            pollUntil(() -> !received.frames.isEmpty());
        }
        assertThat(received.sequences()).containsExactly(5);
    }

    @Test
    void shouldTellTheOldOneThatItIsOver() throws IOException, HandshakeException {
        zero.admit(record(NEWCOMER));

        assertThat(refusalOf(TcpWorld.identity(1))).isInstanceOf(LinkRefusal.YouFailed.class);
    }

    @Test
    void shouldTellOneThatFailedBeforeItWasAdmitted() throws IOException, HandshakeException {
        zero.abandon(NEXT);
        assertThat(refusalOf(NEWCOMER)).isInstanceOf(LinkRefusal.YouFailed.class);
        try (RawPeer later = call()) {
            assertThat(shakeHands(later, new LinkIdentity(new ProcessId(1, 2), 79))
                            .isAccepted())
                    .isTrue();
        }
    }

    @Test
    void shouldBreakWithACallerThatAnotherOneSucceeds() throws IOException, HandshakeException {
        LinkIdentity later = new LinkIdentity(new ProcessId(1, 2), 79);
        try (RawPeer first = call();
                RawPeer second = call()) {
            assertThat(shakeHands(first, NEWCOMER).isAccepted()).isTrue();
            first.write(RawPeer.envelope(1, 0, Frames.numbered(66)));
            assertThat(shakeHands(second, later).isAccepted()).isTrue();
            second.write(RawPeer.envelope(1, 0, Frames.numbered(5)));
            pollUntil(() -> isClosed(first));
            zero.admit(record(later));
            pollUntil(() -> !received.frames.isEmpty());
        }
        assertThat(received.sequences()).containsExactly(5);
        assertThat(received.frames.get(0).from()).isEqualTo(later.id());
    }

    @Test
    void shouldLetTheUninvitedGoWhenItLeaves() throws IOException, HandshakeException {
        zero.offer(ONE, LaneKind.DATA, Frames.numbered(0));
        try (RawPeer peer = call()) {
            assertThat(shakeHands(peer, NEWCOMER).isAccepted()).isTrue();
            zero.leave();
            pollUntil(() -> isClosed(peer));
        }
    }
}
