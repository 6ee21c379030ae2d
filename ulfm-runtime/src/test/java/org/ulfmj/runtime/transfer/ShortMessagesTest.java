package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.ShortPath;
import org.ulfmj.transport.local.LocalHub;

/**
 * Tests short messages between rank 0 and rank 1 of three ranks. Where rank 0 waits, the test says what happens
 * meanwhile.
 */
class ShortMessagesTest {
    private static final int RANKS = 3;
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);
    private static final long COMMUNICATOR = 77;
    private static final int TAG = 4;
    private static final int BYTES = 8;
    private static final int STREAM = MessageKey.POINT_TO_POINT;
    private static final RankSettings SETTINGS = RankSettings.of(Timing.fromTimeout(TimeUnit.SECONDS.toNanos(5)));

    private final LocalHub hub = new LocalHub(RANKS);
    private final Fabric fabric = hub.fabric(0);
    private final FrameSink unread = fake(FrameSink.class, (method, argument) -> {});
    private final MessageContext comm =
            new MessageContext(COMMUNICATOR, SlotRuns.range(RANKS), Membership.initial(RANKS), 0, "COMM_WORLD");
    private final Traffic traffic =
            new Traffic(ZERO, Membership.initial(RANKS), fabric, () -> 1, new ReentrantLock(), SETTINGS);
    private final Peer one = traffic.peers().of(ONE);
    private final ShortMessages messages =
            traffic.shortMessages(fake(Engine.class, this::onEngine), fake(Progress.class, this::onProgress));

    private Consumer<Completion> duringWait = completion -> {
        throw new AssertionError("there is nothing to wait for");
    };
    private boolean isOver;
    private int unpolledCalls;

    private interface Call {
        void on(String method, Object argument);
    }

    /** Makes an object of a type whose methods report their calls to {@code call} and return nothing. */
    private static <T> T fake(Class<T> type, Call call) {
        Object made =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    call.on(method.getName(), arguments == null ? null : arguments[0]);
                    return null;
                });
        return type.cast(made);
    }

    private void onEngine(String method, Object argument) {
        assertThat(method).isEqualTo("checkRunning");
        if (isOver) {
            throw new IllegalStateException("this rank is over");
        }
    }

    private void onProgress(String method, Object argument) {
        if (method.equals("await")) {
            duringWait.accept((Completion) argument);
        } else {
            assertThat(method).isEqualTo("onUnpolledCall");
            unpolledCalls++;
        }
    }

    /** The first message makes a lane, and the first poll opens it, so both are done here. */
    @BeforeEach
    void openLanes() {
        sendFromOne();
        assertThat(fabric.poll(unread)).isEqualTo(1);
    }

    private static BufferPayload payload() {
        return new BufferPayload(ByteBuffer.allocate(BYTES));
    }

    private void sendFromOne() {
        assertThat(hub.fabric(1).shortPath(ZERO).send(STREAM, COMMUNICATOR, 1, TAG, payload()))
                .isTrue();
    }

    private int receive() {
        return messages.receive(comm, payload(), 1, TAG);
    }

    private boolean isInLane() {
        return fabric.shortPath(ONE).hasArrived();
    }

    /**
     * Checks that a receive is declined, so that the call would go on through polls, and that a message that has
     * arrived is still there.
     */
    private void assertDeclined() {
        assertThat(receive()).isEqualTo(ShortMessages.DECLINED);
        assertThat(isInLane()).isTrue();
    }

    // Sends.

    private boolean send() {
        boolean hasLeft = messages.send(comm, payload(), 1, TAG);
        assertThat(hub.fabric(1).poll(unread)).isEqualTo(hasLeft ? 1 : 0);
        return hasLeft;
    }

    @Test
    void shouldSendAtOnceWhatMayLeave() {
        assertThat(send()).isTrue();
    }

    @Test
    void shouldSendNothingBeforeAMessageThatWaitsForRoom() {
        one.envelopes.add(new SendOperation(null));
        assertThat(send()).isFalse();
    }

    @Test
    void shouldSendNothingBeforeAMessageThatMayNotBeAnnouncedYet() {
        one.held.add(new HeldSends(one));
        assertThat(send()).isFalse();
    }

    @Test
    void shouldSendNothingWithoutCredit() {
        one.credit.onSent(SETTINGS.eagerCreditBytes());
        assertThat(send()).isFalse();
    }

    @Test
    void shouldSendNothingToARankThatIsMarkedFailed() {
        one.failed = true;
        assertThat(send()).isFalse();
    }

    @Test
    void shouldSendNothingOnceTheCommunicatorIsRevoked() {
        comm.revoke();
        assertThat(send()).isFalse();
    }

    // Receives.

    @Test
    void shouldTakeWhatHasArrivedWithoutAWait() {
        sendFromOne();
        assertThat(receive()).isEqualTo(BYTES);
        assertThat(unpolledCalls).isEqualTo(1);
    }

    @Test
    void shouldTakeWhatArrivesDuringTheWaitAgainAndAgain() {
        duringWait = completion -> {
            assertThat(completion.isDone()).isFalse();
            sendFromOne();
            assertThat(completion.isDone()).isTrue();
        };
        assertThat(receive()).isEqualTo(BYTES);
        assertThat(receive()).isEqualTo(BYTES);
        assertThat(unpolledCalls).isEqualTo(2);
    }

    @Test
    void shouldKeepPollsFromTheLaneDuringTheWaitAndNotAfterwards() {
        duringWait = completion -> {
            sendFromOne();
            assertThat(fabric.poll(unread)).isZero();
        };
        assertThat(receive()).isEqualTo(BYTES);
        sendFromOne();
        assertThat(fabric.poll(unread)).isEqualTo(1);
    }

    @Test
    void shouldKeepTheCommunicatorDuringTheWaitAndNotAfterwards() {
        duringWait = completion -> {
            assertThat(comm.isIdle()).isFalse();
            sendFromOne();
        };
        receive();
        assertThat(comm.isIdle()).isTrue();
    }

    @Test
    void shouldLetASecondThreadReceiveByPolls() {
        duringWait = completion -> {
            duringWait = ofTheSecond -> sendFromOne();
            assertThat(receive()).isEqualTo(ShortMessages.DECLINED);
            sendFromOne();
        };
        assertThat(receive()).isEqualTo(BYTES);
    }

    @Test
    void shouldTakeNothingInARankThatEndsDuringTheWait() {
        duringWait = completion -> {
            sendFromOne();
            isOver = true;
        };
        assertThatThrownBy(this::receive).hasMessage("this rank is over");
        assertThat(isInLane()).isTrue();
        assertThat(comm.isIdle()).isTrue();
        assertThat(fabric.poll(unread)).isEqualTo(1);
    }

    @Test
    void shouldTakeNothingOfARankThatIsMarkedFailedDuringTheWait() {
        assertDeclinedAfter(() -> one.failed = true);
    }

    @Test
    void shouldTakeNothingOnceTheCommunicatorIsRevokedDuringTheWait() {
        assertDeclinedAfter(comm::revoke);
    }

    @Test
    void shouldTakeNothingBeforeAReceiveThatAnotherThreadPostsDuringTheWait() {
        assertDeclinedAfter(() -> comm.posted[STREAM].post(receiveFrom(MessageKey.ANY_SOURCE)));
    }

    @Test
    void shouldTakeNothingBeforeAMessageThatAnotherThreadProbesDuringTheWait() {
        assertDeclinedAfter(this::addUnexpected);
    }

    /**
     * Checks that the event ends the wait of a receive without a message, and that this receive is declined also if a
     * message arrives at that moment.
     */
    private void assertDeclinedAfter(Runnable event) {
        duringWait = completion -> {
            event.run();
            assertThat(completion.isDone()).isTrue();
            sendFromOne();
        };
        assertDeclined();
    }

    @Test
    void shouldTakeNothingBeforeAReceiveThatWasPostedForAnySource() {
        comm.posted[STREAM].post(receiveFrom(MessageKey.ANY_SOURCE));
        sendFromOne();
        assertDeclined();
    }

    @Test
    void shouldTakeNothingBeforeAMessageThatWasProbed() {
        addUnexpected();
        sendFromOne();
        assertDeclined();
    }

    @Test
    void shouldReceiveByPollsWhereNoLaneIsOpen() {
        assertThat(messages.receive(comm, payload(), 2, TAG)).isEqualTo(ShortMessages.DECLINED);
    }

    @Test
    void shouldReceiveByPollsFromAnySource() {
        sendFromOne();
        assertThat(messages.receive(comm, payload(), MessageKey.ANY_SOURCE, TAG))
                .isEqualTo(ShortMessages.DECLINED);
    }

    @Test
    void shouldTakeAnyTagWhereThatIsAsked() {
        sendFromOne();
        assertThat(messages.receive(comm, payload(), 1, ShortPath.ANY_TAG)).isEqualTo(BYTES);
        assertThat(messages.receivedTag()).isEqualTo(TAG);
    }

    private static ReceiveOperation receiveFrom(int source) {
        ReceiveOperation receive = new ReceiveOperation(null);
        receive.wantedSource = source;
        receive.wantedTag = TAG;
        return receive;
    }

    private void addUnexpected() {
        UnexpectedMessage message = new UnexpectedMessage();
        message.source = 1;
        message.tag = TAG;
        comm.unexpected[STREAM].add(message);
    }
}
