package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.local.LocalFabric;
import org.ulfmj.transport.local.LocalHub;

/**
 * Tests messages that are offered in lent memory, could have been sent whole, and are not copied in time by the
 * receiver.
 */
class OverdueOffersTest {
    private static final int RANKS = 3;
    private static final int BYTES = Outbound.SMALLEST_LENT_BYTES;
    private static final long PATIENCE_NS = 20_000;
    private static final ProcessId SELF = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);

    private final LocalHub hub = new LocalHub(RANKS);
    private final LocalFabric fabric = hub.fabric(0);
    private final HostMemory reader = hub.fabric(1).hostMemory();
    private final Lending lending = new Lending(SELF, fabric.hostMemory());
    private final ByteBuffer lent = lending.lend(BYTES);
    private final Peer one = new Peer(ONE, false, 1 << 20);
    private final Peer two = new Peer(ProcessId.of(2), false, 1 << 20);
    private final MessageContext communicator =
            new MessageContext(5, SlotRuns.range(RANKS), Membership.initial(RANKS), 0, "a communicator");

    private long nowNs = 1_000_000;
    private final Outbound outbound =
            new Outbound(fabric, null, lending, new Contributions(fabric.hostMemory(), null), () -> nowNs, BYTES);

    /**
     * Shows that lent memory is taken back when the message is sent whole: the program, whose send is then complete,
     * may write to the buffer while the peer may still be copying it.
     */
    @Test
    void shouldTakeBackWhatItSendsWhole() {
        SendOperation send = offer(one);
        long offered = reader.takenBack(SELF, send.handshakeId);

        nowNs += PATIENCE_NS - 1;
        outbound.flush();
        assertThat(send.done).isFalse();
        assertThat(reader.takenBack(SELF, send.handshakeId)).isEqualTo(offered);

        nowNs++;
        outbound.flush();
        assertThat(send.done).isTrue();
        assertThat(reader.takenBack(SELF, send.handshakeId)).isNotEqualTo(offered);
    }

    @Test
    void shouldTakeBackWhatEndsBeforeItsTime() {
        SendOperation send = offer(one);
        long offered = reader.takenBack(SELF, send.handshakeId);

        outbound.forget(send);

        assertThat(reader.takenBack(SELF, send.handshakeId)).isNotEqualTo(offered);
    }

    @Test
    void shouldNotHurryAPeerThatCopiesOlderMessages() {
        SendOperation older = offer(one);
        SendOperation newer = offer(one);

        nowNs += PATIENCE_NS - 1;
        copied(older);
        nowNs += PATIENCE_NS - 1;
        outbound.flush();
        assertThat(newer.done).isFalse();

        nowNs++;
        outbound.flush();
        assertThat(newer.done).isTrue();
    }

    /**
     * Shows that a message is sent whole if the peer copies newer messages instead of it, as the peer might do for
     * ever.
     */
    @Test
    void shouldNotWaitForAPeerThatPassesAMessageOver() {
        SendOperation passedOver = offer(one);
        SendOperation newer = offer(one);

        nowNs += PATIENCE_NS - 1;
        copied(newer);
        nowNs++;
        outbound.flush();

        assertThat(passedOver.done).isTrue();
    }

    @Test
    void shouldNotLetAMessageWaitForOneToAnotherPeer() {
        SendOperation first = offer(one);
        SendOperation second = offer(one);
        SendOperation elsewhere = offer(two);

        nowNs += PATIENCE_NS - 1;
        copied(first);
        nowNs++;
        outbound.flush();

        assertThat(second.done).isFalse();
        assertThat(elsewhere.done).isTrue();
    }

    @Test
    void shouldNotLetAMessageWaitForAnotherPeersRoom() {
        SendOperation stuck = offer(one);
        SendOperation elsewhere = offer(two);
        fillLaneTo(ONE);

        nowNs += PATIENCE_NS;
        outbound.flush();

        assertThat(stuck.done).isFalse();
        assertThat(elsewhere.done).isTrue();
    }

    private SendOperation offer(Peer to) {
        SendOperation send = new SendOperation(outbound);
        send.begin(communicator, MessageKey.POINT_TO_POINT, 0, null);
        send.payload = new Whole(lent);
        send.peer = to;
        outbound.submit(send);
        assertThat(send.phase).isEqualTo(SendOperation.Phase.OFFERED);
        return send;
    }

    private void copied(SendOperation send) {
        outbound.onMatched(send.peer, send.handshakeId, BYTES);
        assertThat(send.done).isTrue();
    }

    private void fillLaneTo(ProcessId to) {
        Frame frame = new Frame().writeMessage(1, MessageKey.POINT_TO_POINT, 0, 0, new Whole(lent), BYTES);
        boolean hasRoom = true;
        while (hasRoom) {
            hasRoom = fabric.offer(to, LaneKind.DATA, frame);
        }
    }

    /** All of a buffer. */
    private record Whole(ByteBuffer buffer) implements Payload {
        @Override
        public long lengthBytes() {
            return buffer.capacity();
        }

        @Override
        public Object holder() {
            return buffer;
        }

        @Override
        public void copyOut(long offset, ByteBuffer target) {
            new BufferPayload(buffer).copyOut(offset, target);
        }

        @Override
        public void copyIn(long offset, ByteBuffer source) {
            throw new UnsupportedOperationException("nothing is received here");
        }
    }
}
