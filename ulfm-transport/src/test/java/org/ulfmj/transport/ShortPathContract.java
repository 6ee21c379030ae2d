package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;

/**
 * What a medium with a short path promises of it: the short path carries the same messages, in the same order, as
 * frames do.
 */
public abstract class ShortPathContract extends MediumTest {
    private static final int STREAM = 0;
    private static final long COMMUNICATOR = 0x1122334455667788L;
    private static final long OTHER_COMMUNICATOR = 0x1122334455667789L;
    private static final int SOURCE = 5;
    private static final int TAG = 9;

    private final ByteBuffer room = ByteBuffer.allocate(ShortPath.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private ShortPath sending;
    private ShortPath receiving;

    /**
     * Sends one frame from rank 0 to rank 1 before each test: the first frame makes the lane, and the first poll opens
     * it.
     */
    @BeforeEach
    final void openLanes() {
        start(3);
        offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received(1).frames.size() == 1, 0, 1);
        received(1).frames.clear();
        sending = fabric(0).shortPath(ONE);
        receiving = fabric(1).shortPath(ZERO);
    }

    private boolean send(long communicator, int source, int tag, byte[] message) {
        return sending.send(STREAM, communicator, source, tag, new BufferPayload(ByteBuffer.wrap(message)));
    }

    private void sendFrame(int tag, byte[] message) {
        Frame frame = new Frame()
                .writeMessage(
                        COMMUNICATOR, STREAM, SOURCE, tag, new BufferPayload(ByteBuffer.wrap(message)), message.length);
        offerPatiently(0, ONE, LaneKind.DATA, frame);
    }

    private int receive(int tag, int lengthBytes) {
        room.clear().limit(lengthBytes);
        return receiving.receive(STREAM, COMMUNICATOR, SOURCE, tag, new BufferPayload(room));
    }

    private byte[] taken(int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        room.clear().get(0, bytes);
        return bytes;
    }

    @Test
    void shouldCarryMessagesOfEachLength() {
        for (int length = 0; length <= ShortPath.MAX_BYTES; length++) {
            byte[] message = Frames.bytes(length, length);
            assertThat(send(COMMUNICATOR, SOURCE, length, message)).isTrue();
            assertThat(receive(length, ShortPath.MAX_BYTES)).isEqualTo(length);
            assertThat(receiving.receivedTag()).isEqualTo(length);
            assertThat(taken(length)).isEqualTo(message);
        }
        assertThat(receive(0, ShortPath.MAX_BYTES)).isEqualTo(ShortPath.NOTHING);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldKeepTheOrderOfMessagesWhicheverWayEachEndTakes(long seed) {
        Random random = new Random(seed);
        List<Integer> got = new ArrayList<>();
        List<byte[]> sent = new ArrayList<>();
        int count = 3_000;
        while (got.size() < count) {
            if (sent.size() < count && random.nextInt(3) > 0) {
                byte[] message = Frames.bytes(random.nextInt(random.nextInt(20) == 0 ? 3_000 : 100), sent.size());
                boolean isShort = message.length <= ShortPath.MAX_BYTES && random.nextBoolean();
                if (!isShort) {
                    sendFrame(sent.size(), message);
                    sent.add(message);
                } else if (send(COMMUNICATOR, SOURCE, sent.size(), message)) {
                    sent.add(message);
                }
            }
            if (random.nextInt(8) == 0) {
                poll(1);
            }
            for (Received.Item item : received(1).frames) {
                assertThat(item.payload()).isEqualTo(sent.get(got.size()));
                got.add(got.size());
            }
            received(1).frames.clear();
            int length = receive(ShortPath.ANY_TAG, ShortPath.MAX_BYTES);
            if (length >= 0) {
                assertThat(receiving.receivedTag()).as("seed " + seed).isEqualTo(got.size());
                assertThat(taken(length)).as("seed " + seed).isEqualTo(sent.get(got.size()));
                got.add(got.size());
            }
        }
    }

    @Test
    void shouldLeaveToAPollWhatIsNotAskedFor() {
        assertThat(send(COMMUNICATOR, SOURCE, TAG, new byte[20])).isTrue();
        assertThat(receive(TAG + 1, 20)).isEqualTo(ShortPath.DECLINED);
        assertThat(receive(TAG, 19)).isEqualTo(ShortPath.DECLINED);
        BufferPayload into = new BufferPayload(room.clear());
        assertThat(receiving.receive(STREAM, OTHER_COMMUNICATOR, SOURCE, TAG, into))
                .isEqualTo(ShortPath.DECLINED);
        assertThat(receiving.receive(STREAM, COMMUNICATOR, SOURCE + 1, TAG, into))
                .isEqualTo(ShortPath.DECLINED);
        assertThat(receiving.receive(STREAM + 1, COMMUNICATOR, SOURCE, TAG, into))
                .isEqualTo(ShortPath.DECLINED);
        assertThat(received(1).frames).isEmpty();
        poll(1);
        assertThat(received(1).frames).hasSize(1);
        assertThat(receive(TAG, 20)).isEqualTo(ShortPath.NOTHING);
    }

    @Test
    void shouldLeaveToAPollWhatIsNoShortMessage() {
        sendFrame(TAG, new byte[ShortPath.MAX_BYTES + 1]);
        assertThat(receive(TAG, ShortPath.MAX_BYTES)).isEqualTo(ShortPath.DECLINED);
        Frame synchronous = new Frame()
                .writeMessage(COMMUNICATOR, STREAM, SOURCE, TAG, new BufferPayload(ByteBuffer.wrap(new byte[4])), 4)
                .setSenderId(1)
                .setSynchronous();
        poll(1);
        received(1).frames.clear();
        offerPatiently(0, ONE, LaneKind.DATA, synchronous);
        assertThat(receive(TAG, ShortPath.MAX_BYTES)).isEqualTo(ShortPath.DECLINED);
        poll(1);
        assertThat(received(1).frames).hasSize(1);
    }

    @Test
    void shouldSendNothingWithoutRoomAndGoOnOnceThereIsSome() {
        byte[] message = Frames.bytes(ShortPath.MAX_BYTES, 1);
        int sent = 0;
        while (send(COMMUNICATOR, SOURCE, sent, message)) {
            sent++;
            assertThat(sent).isLessThan(1_000_000);
        }
        for (int i = 0; i < sent; i++) {
            assertThat(receive(i, ShortPath.MAX_BYTES)).isEqualTo(ShortPath.MAX_BYTES);
        }
        assertThat(receive(ShortPath.ANY_TAG, ShortPath.MAX_BYTES)).isEqualTo(ShortPath.NOTHING);
        sendFrame(sent, message);
        assertThat(receive(sent, ShortPath.MAX_BYTES)).isEqualTo(ShortPath.MAX_BYTES);
        assertThat(send(COMMUNICATOR, SOURCE, 0, message)).isTrue();
    }

    @Test
    void shouldTakeNothingOfAPeerThatIsMarkedFailedAndSendItNothing() {
        assertThat(send(COMMUNICATOR, SOURCE, TAG, new byte[8])).isTrue();
        assertThat(receive(TAG, 8)).isEqualTo(8);
        assertThat(send(COMMUNICATOR, SOURCE, TAG, new byte[8])).isTrue();
        fabric(1).abandon(ZERO);
        assertThat(receive(TAG, 8)).isNegative();
        fabric(0).abandon(ONE);
        send(COMMUNICATOR, SOURCE, TAG, new byte[8]);
        poll(1);
        assertThat(received(1).frames).isEmpty();
    }

    @Test
    void shouldSayThatNothingWasSentToAPeerToWhichNoFramesGoAnyMore() {
        fabric(0).depart(ONE);
        assertThat(send(COMMUNICATOR, SOURCE, TAG, new byte[8])).as("departed").isFalse();
        fabric(0).abandon(ONE);
        assertThat(send(COMMUNICATOR, SOURCE, TAG, new byte[8]))
                .as("marked failed")
                .isFalse();
        fabric(1).close();
        assertThat(fabric(1).shortPath(ZERO).send(STREAM, COMMUNICATOR, SOURCE, TAG, new BufferPayload(room.clear())))
                .as("sender closed")
                .isFalse();
    }

    @Test
    void shouldTakeNothingOfAMessageThatItsSenderDiedIn() {
        byte[] message = Frames.bytes(40, 1);
        for (int bytes = 0; bytes <= message.length; bytes++) {
            Payload dying = new DyingPayload(new BufferPayload(ByteBuffer.wrap(message)), bytes, () -> {});
            assertThatThrownBy(() -> sending.send(STREAM, COMMUNICATOR, SOURCE, TAG, dying))
                    .isInstanceOf(DyingPayload.SenderKilled.class);
            assertThat(receiving.hasArrived()).as("died after %d bytes", bytes).isFalse();
            assertThat(receive(TAG, message.length))
                    .as("died after %d bytes", bytes)
                    .isEqualTo(ShortPath.NOTHING);
        }
    }

    @Test
    void shouldTakeWhatADeadPeerHadSent() {
        assertThat(send(COMMUNICATOR, SOURCE, TAG, Frames.bytes(8, 1))).isTrue();
        kill(0);
        assertThat(receive(TAG, 8)).isEqualTo(8);
        assertThat(taken(8)).isEqualTo(Frames.bytes(8, 1));
    }

    @Test
    void shouldTakeNothingTwiceWhenAPollComesInBetween() {
        for (int i = 0; i < 3; i++) {
            assertThat(send(COMMUNICATOR, SOURCE, i, new byte[] {(byte) i})).isTrue();
        }
        assertThat(receive(0, 1)).isEqualTo(1);
        poll(1);
        assertThat(received(1).frames).extracting(item -> item.payload()[0]).containsExactly((byte) 1, (byte) 2);
        assertThat(receive(ShortPath.ANY_TAG, 1)).isEqualTo(ShortPath.NOTHING);
    }

    @Test
    void shouldLeaveMessagesToTheReceiveThatWaitsWhileTheLaneIsHeld() {
        receiving.hold(true);
        assertThat(send(COMMUNICATOR, SOURCE, TAG, new byte[8])).isTrue();
        poll(1);
        assertThat(received(1).frames).isEmpty();
        assertThat(receiving.hasArrived()).isTrue();
        assertThat(receive(TAG, 8)).isEqualTo(8);
        assertThat(receiving.hasArrived()).isFalse();

        assertThat(send(COMMUNICATOR, SOURCE, TAG, new byte[8])).isTrue();
        receiving.hold(false);
        poll(1);
        assertThat(received(1).frames).hasSize(1);
    }

    @Test
    void shouldHandOverInADrainWhatLiesInALaneThatIsHeld() {
        receiving.hold(true);
        assertThat(send(COMMUNICATOR, SOURCE, TAG, new byte[8])).isTrue();
        kill(0);
        fabric(1).drain(ZERO);
        pollUntil(() -> received(1).events.contains("drained 0"), 1);
        assertThat(received(1).frames).hasSize(1);
    }

    @Test
    void shouldSayNothingOfAProcessThatHasNoneOfThisHost() {
        assertThat(fabric(0).shortPath(new ProcessId(1, 7))).isNull();
    }
}
