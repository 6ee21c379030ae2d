package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.message.LateMessage;
import org.ulfmj.runtime.message.Notice;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;

class OutboundTest {
    private static final int SENDS = 200_000;

    /** The frames that the medium has taken: the type of each, with an exclamation mark if it is unhurried. */
    private final List<String> sent = new ArrayList<>();

    private final Peer peer = new Peer(ProcessId.of(1), false, 1);
    private boolean hasRoom = true;
    private long nowNs = 1;
    private final Outbound outbound = new Outbound(medium(), null, null, new Contributions(null, null), () -> nowNs, 1);

    /**
     * Shows that forgetting 200 000 sends, the newest first, takes less than 3 s of CPU time: a revocation ends sends
     * under the engine lock, and heartbeats wait as long as that takes.
     */
    @Test
    void shouldForgetAnySendWithoutASearchWhenVeryManyStream() {
        SendOperation[] sends = new SendOperation[SENDS];
        for (int i = 0; i < SENDS; i++) {
            sends[i] = new SendOperation(outbound);
            sends[i].peer = peer;
            sends[i].phase = SendOperation.Phase.STREAMING;
            peer.streams.addLast(sends[i]);
        }
        long beginNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = SENDS - 1; i >= 0; i--) {
            outbound.forget(sends[i]);
        }

        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beginNs)
                .isLessThan(TimeUnit.SECONDS.toNanos(3));
    }

    @Test
    void shouldPutOffWhatIsUnhurriedUntilItsTime() {
        sendNews();
        assertThat(outbound.flush()).isZero();
        assertThat(outbound.hasBacklog()).isFalse();
        assertThat(outbound.nextDeadlineNs()).isEqualTo(nowNs + Notices.PUT_OFF_NS);

        nowNs += Notices.PUT_OFF_NS;
        assertThat(outbound.flush()).isEqualTo(1);
        assertThat(sent).containsExactly("CONTROL!");
        assertThat(outbound.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldSendWhatIsPutOffAheadOfTheNextNotice() {
        sendNews();
        outbound.notices().sendMatched(peer, 7);
        outbound.notices().sendMatched(peer, 8);
        assertThat(sent).containsExactly("CONTROL!", "SYNC_ACK", "SYNC_ACK");
        assertThat(outbound.flush()).isZero();
    }

    @Test
    void shouldKeepTheOrderWhenThereIsNoRoom() {
        sendNews();
        hasRoom = false;
        outbound.notices().sendMatched(peer, 7);
        sendNews();
        assertThat(outbound.hasBacklog()).isTrue();
        hasRoom = true;
        assertThat(outbound.flush()).isEqualTo(3);
        assertThat(sent).containsExactly("CONTROL!", "SYNC_ACK", "CONTROL!");
    }

    @Test
    void shouldSendAtOnceWhatWasPutOffWhenTheRankLeaves() {
        sendNews();
        outbound.notices().hurry();
        assertThat(outbound.hasBacklog()).isTrue();
        assertThat(outbound.flush()).isEqualTo(1);
        assertThat(sent).containsExactly("CONTROL!");
    }

    @Test
    void shouldForgetWhatIsPutOffWhenThePeerHasFailed() {
        sendNews();
        outbound.dropAll(peer);
        nowNs += Notices.PUT_OFF_NS;
        assertThat(outbound.flush()).isZero();
        assertThat(outbound.hasBacklog()).isFalse();
        assertThat(sent).isEmpty();
    }

    private void sendNews() {
        ControlMessage news = new ControlMessage.Detector(new DetectorMessage.Probe());
        outbound.notices().putOff(peer, Notice.unhurried(new LateMessage(news)));
    }

    private Fabric medium() {
        return (Fabric) Proxy.newProxyInstance(
                Fabric.class.getClassLoader(), new Class<?>[] {Fabric.class}, (proxy, method, arguments) -> {
                    Frame frame = (Frame) arguments[2];
                    if (hasRoom) {
                        boolean isUnhurried = frame.type() == FrameType.CONTROL && frame.isUnhurried();
                        sent.add(frame.type() + (isUnhurried ? "!" : ""));
                    }
                    return hasRoom;
                });
    }
}
