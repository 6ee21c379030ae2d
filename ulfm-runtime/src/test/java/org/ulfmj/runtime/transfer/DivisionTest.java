package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.lent.CopyBoard;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;
import org.ulfmj.transport.Writer;
import org.ulfmj.transport.local.LocalHub;

/**
 * Tests a message that both ranks copy: rank 1 receives from rank 0, the message and the receive buffer both lie in
 * lent memory.
 */
class DivisionTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int SCHEDULES =
            Integer.getInteger("runtime.schedules", Boolean.getBoolean("tests.whole") ? 500 : 300);
    private static final ProcessId SENDER = ProcessId.of(0);
    private static final ProcessId RECEIVER = ProcessId.of(1);
    private static final int PIECES = 7;
    private static final int BYTES = (PIECES - 1) * HostMemory.PIECE_BYTES + 100;
    private static final long NUMBER = 3;
    private static final RankSettings SETTINGS = RankSettings.of(Timing.fromTimeout(1_000_000_000));
    private static final long LOOK_NS = 1_000_000;

    /** The memory of ranks that are threads, which here may write into each other's memory as processes do. */
    private static final class Shared implements HostMemory {
        private final HostMemory local;
        private final Writer writer;
        private final Map<Long, ByteBuffer> lentByAll;

        Shared(HostMemory local, Map<Long, ByteBuffer> lentByAll, Writer writer) {
            this.local = local;
            this.lentByAll = lentByAll;
            this.writer = writer;
        }

        @Override
        public int segmentBytes(int ranks) {
            return local.segmentBytes(ranks);
        }

        @Override
        public boolean reaches(ProcessId rank) {
            return local.reaches(rank);
        }

        @Override
        public Segment create(int lengthBytes) {
            return local.create(lengthBytes);
        }

        @Override
        public Segment open(ProcessId maker, long id) {
            return local.open(maker, id);
        }

        @Override
        public void unlink(Segment own) {
            local.unlink(own);
        }

        @Override
        public void discard(Segment segment) {
            local.discard(segment);
        }

        @Override
        public Lent lend(int lengthBytes) {
            Lent lent = local.lend(lengthBytes);
            lentByAll.put(lent.id(), lent.memory());
            return lent;
        }

        @Override
        public ByteBuffer borrow(ProcessId maker, long id) {
            return local.borrow(maker, id);
        }

        @Override
        public ByteBuffer borrowToWrite(ProcessId maker, long id) {
            return lentByAll.get(id).duplicate();
        }

        @Override
        public Writer writer(ProcessId rank) {
            return writer;
        }

        @Override
        public void takeBack(long number) {
            local.takeBack(number);
        }

        @Override
        public long takenBack(ProcessId maker, long number) {
            return local.takenBack(maker, number);
        }

        @Override
        public void ring(ProcessId rank) {
            local.ring(rank);
        }

        @Override
        public void watch(SleepWatch watch) {
            local.watch(watch);
        }
    }

    /** A process that may be killed at any time; the test says when it is gone. */
    private static final class Process implements Writer {
        boolean isKilled;
        boolean isGone;

        @Override
        public boolean hasEnded() {
            return isGone;
        }

        @Override
        public void end() {
            isKilled = true;
        }
    }

    private final LocalHub hub = new LocalHub(2);
    private final Process process = new Process();
    private final Map<Long, ByteBuffer> lentByAll = new HashMap<>();
    private final HostMemory senders = new Shared(hub.fabric(0).hostMemory(), lentByAll, null);
    private final HostMemory receivers = new Shared(hub.fabric(1).hostMemory(), lentByAll, process);
    private final MessageContext communicator =
            new MessageContext(5, SlotRuns.range(2), Membership.initial(2), 1, "a communicator");

    private final Lending lending = new Lending(RECEIVER, receivers);
    private final Contributions contributions = new Contributions(senders, new ReentrantLock());
    private final ByteBuffer target = lending.lend(BYTES);
    private final Lent source = senders.lend(BYTES);
    private final Peer sender = new Peer(SENDER, false, 1 << 20);
    private final Peer receiver = new Peer(RECEIVER, false, 1 << 20);
    private final Frame divide = new Frame();
    private final ReceiveOperation receive = new ReceiveOperation(null);
    private final SendOperation send = new SendOperation(null);
    private long nowNs = 1_000_000_000;
    /**
     * The outbound part that the receiver uses. The test reads through the sender's fabric what the receiver sends, and
     * acts as the sender's engine itself.
     */
    private final Outbound outbound = new Outbound(
            hub.fabric(1), null, lending, new Contributions(receivers, new ReentrantLock()), () -> nowNs, 1 << 16);

    private final Division division = new Division(receivers, lending, outbound.notices(), () -> nowNs, SETTINGS);
    private final Pulls pulls = new Pulls(receivers, division, outbound.notices(), new ReentrantLock());

    private void begin() {
        for (int at = 0; at < BYTES; at++) {
            source.memory().put(at, (byte) (at / 1000 + 1));
            target.put(at, (byte) 0);
        }
        process.isKilled = false;
        process.isGone = false;
        sender.failed = false;
        receive.begin(communicator, MessageKey.POINT_TO_POINT, 0, null);
        receive.peer = sender;
        receive.payload = new Holding(target);
        receive.messageBytes = BYTES;
        receive.arrivedBytes = 0;
        receive.senderId = NUMBER;
        receive.place.of(source.id(), 0, senders.takenBack(SENDER, NUMBER));
        send.payload = new BufferPayload(source.memory().duplicate().clear());
        assertThat(pulls.begin(receive)).isTrue();
        assertThat(division.isOf(receive)).isTrue();
        hub.fabric(0).poll(new DivideSink(divide));
        assertThat(divide.type()).isEqualTo(FrameType.DIVIDE);
        contributions.begin(receiver, send, divide);
        assertThat(contributions.isEmpty()).isFalse();
    }

    /** A message that lies in a lent buffer. */
    private record Holding(ByteBuffer buffer) implements Payload {
        @Override
        public long lengthBytes() {
            return buffer.capacity();
        }

        @Override
        public Object holder() {
            return buffer;
        }

        @Override
        public void copyOut(long offset, ByteBuffer into) {
            throw new UnsupportedOperationException("it is received into");
        }

        @Override
        public void copyIn(long offset, ByteBuffer from) {
            new BufferPayload(buffer.duplicate().clear()).copyIn(offset, from);
        }
    }

    private void assertWhole() {
        for (int at = 0; at < BYTES; at++) {
            assertThat(target.get(at)).isEqualTo((byte) (at / 1000 + 1));
        }
    }

    @Test
    void shouldBeOverWhenBothHaveCopied() {
        begin();
        contributions.advance();
        while (pulls.hasPieces()) {
            assertThat(pulls.advance()).isNull();
        }

        assertThat(division.isOver()).isTrue();
        assertThat(division.ending()).isNull();
        assertThat(division.takeOver()).isSameAs(receive);
        assertThat(pulls.isEmpty()).isTrue();
        assertWhole();
    }

    @Test
    void shouldBeOverWithoutASenderThatNeverComes() {
        begin();
        while (pulls.hasPieces()) {
            pulls.advance();
        }

        assertThat(division.isOver()).isTrue();
        assertWhole();
    }

    /**
     * Shows that a receive does not end while its sender may still write: the sender was stopped between taking a piece
     * and writing it.
     */
    @Test
    void shouldNotEndWhileTheSenderMayWrite() {
        begin();
        CopyBoard board = send.board;
        assertThat(board.takeBack(send.division, PIECES)).isZero();

        pulls.forget(receive);
        assertThat(division.delays(receive, ErrorClass.REVOKED)).isTrue();
        nowNs += 10 * LOOK_NS;
        assertThat(division.isOver()).isFalse();
        assertThat(process.isKilled).as("it may go on").isFalse();

        board.written(send.division, 1);
        assertThat(division.isOver()).isTrue();
        assertThat(division.ending()).isEqualTo(ErrorClass.REVOKED);
    }

    @Test
    void shouldEndASenderThatWasDeclaredFailedAndMayWrite() {
        begin();
        send.board.takeBack(send.division, PIECES);
        sender.failed = true;

        pulls.forget(receive);
        assertThat(division.delays(receive, ErrorClass.PROC_FAILED)).isTrue();
        nowNs += LOOK_NS;
        assertThat(division.isOver()).isFalse();
        assertThat(process.isKilled).isTrue();
        nowNs += LOOK_NS;
        assertThat(division.isOver()).as("it has not ended yet").isFalse();
        process.isGone = true;
        nowNs += LOOK_NS;
        assertThat(division.isOver()).isTrue();
        assertThat(division.ending()).isEqualTo(ErrorClass.PROC_FAILED);
    }

    @Test
    void shouldNotTakeForWholeWhatADeadSenderHasNotWritten() {
        begin();
        send.board.takeBack(send.division, PIECES);
        process.isGone = true;
        while (pulls.hasPieces()) {
            pulls.advance();
        }
        nowNs += 10 * LOOK_NS;

        assertThat(division.isOver()).as("its failure will end it").isFalse();
        assertThat(division.delays(receive, ErrorClass.PROC_FAILED)).isTrue();
        nowNs += LOOK_NS;
        assertThat(division.isOver()).isTrue();
        assertThat(division.ending()).isEqualTo(ErrorClass.PROC_FAILED);
    }

    @Test
    void shouldLetNoProcessWriteWhoseEndCannotBeSeen() {
        Division careful = new Division(hub.fabric(1).hostMemory(), lending, outbound.notices(), () -> nowNs, SETTINGS);
        receive.begin(communicator, MessageKey.POINT_TO_POINT, 0, null);
        receive.peer = sender;
        receive.payload = new Holding(target);
        receive.messageBytes = BYTES;
        careful.begin(receive);

        assertThat(careful.isIdle()).isTrue();
    }

    /**
     * Runs the steps of both sides in random orders, in some of them with a sender that is stopped between taking a
     * piece and writing it, with one that is killed, or with an end of the receive before its time. Once the receive
     * has ended the sender may not write, and if it ended well all its bytes are there.
     */
    @Test
    void shouldKeepTheRuleInEveryOrder() {
        int early = 0;
        for (int schedule = 0; schedule < SCHEDULES; schedule++) {
            SplittableRandom random = new SplittableRandom(SEED + schedule);
            begin();
            CopyBoard board = send.board;
            boolean endsEarly = random.nextInt(3) == 0;
            boolean isStuck = random.nextInt(4) == 0;
            int held = -1;
            int written = 0;
            boolean isEnding = false;
            String replay = "-Dseed=" + (SEED + schedule);
            for (int step = 0; !division.isOver(); step++) {
                assertThat(step).as(replay).isLessThan(10_000);
                nowNs += random.nextLong(LOOK_NS);
                switch (random.nextInt(4)) {
                    case 0 -> {
                        if (!process.isGone && held < 0) {
                            held = board.takeBack(send.division, PIECES);
                        }
                    }
                    case 1 -> {
                        boolean isStopped = isStuck && held == 1;
                        if (held >= 0 && !isStopped && !process.isGone) {
                            contributionOf(PIECES - 1 - held);
                            written = held + 1;
                            board.written(send.division, written);
                            held = -1;
                        } else if (isStopped) {
                            sender.failed = sender.failed || random.nextInt(3) == 0;
                        }
                    }
                    case 2 -> {
                        if (pulls.hasPieces() && !isEnding) {
                            pulls.advance();
                        }
                    }
                    default -> {
                        process.isGone |= process.isKilled;
                        if (!isEnding && (endsEarly && random.nextInt(3) == 0 || sender.failed)) {
                            isEnding = true;
                            pulls.forget(receive);
                            if (!division.delays(receive, ErrorClass.REVOKED)) {
                                break;
                            }
                        }
                    }
                }
                if (division.isIdle()) {
                    break;
                }
            }
            boolean mayStillWrite = held >= 0 && !process.isGone;
            assertThat(mayStillWrite).as(replay).isFalse();
            assertThat(board.takeBack(send.division, PIECES)).as(replay).isNegative();
            if (!isEnding) {
                assertWhole();
            } else {
                early++;
            }
            if (!division.isIdle()) {
                division.takeOver();
            }
            contributions.forget(send);
        }
        assertThat(early).isPositive().isLessThan(SCHEDULES);
    }

    /** Writes a piece of the send, as {@link Contributions} does between taking and counting it. */
    private void contributionOf(int piece) {
        int at = piece * HostMemory.PIECE_BYTES;
        int bytes = Math.min(HostMemory.PIECE_BYTES, BYTES - at);
        send.payload.copyOut(at, send.target.limit(at + bytes).position(at));
    }
}
