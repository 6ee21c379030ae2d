package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.Timing;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.local.LocalHub;

/**
 * Shows which ranks a rank wakes for a revocation that it passes on: not those that the originator has woken itself;
 * but all of them if a member is gone.
 */
class RevokeHasteTest {
    private static final int RANKS = 8;
    private static final ProcessId PASSES_ON = ProcessId.of(0);
    private static final ProcessId ORIGIN = ProcessId.of(1);
    private static final int GONE = 5;
    private static final long COMMUNICATOR = 4711;
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.MINUTES.toNanos(5));

    private static final Evidence SUSPICION = new Evidence(Evidence.Kind.SUSPECTED, PASSES_ON, "for a test");

    private final LocalHub hub = new LocalHub(RANKS);
    private final Map<Integer, Boolean> isWoken = new ConcurrentHashMap<>();
    /**
     * Counts down the neighbours of rank 0 to which the revocation has not been sent yet: five at first, the ranks 1,
     * 2, 4, 6 and 7.
     */
    private final CountDownLatch untold = new CountDownLatch(5);

    private final CountDownLatch obituary = new CountDownLatch(1);
    private RankRuntime rank;

    @BeforeEach
    void begin() {
        RankIdentity identity = new RankIdentity(PASSES_ON, Membership.initial(RANKS), new byte[1]);
        rank = RankRuntime.create(
                identity, listening(), System::nanoTime, RankSettings.of(TIMING), new SilentHooks() {});
    }

    @AfterEach
    void end() {
        rank.kill(new Error("the test is over"));
    }

    @Test
    void shouldWakeOnlyThoseWhomTheOriginatorDoesNotTell() throws Exception {
        revoke();
        assertThat(untold.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(isWoken).isEqualTo(Map.of(1, false, 2, false, 4, true, 6, true, 7, false));
    }

    @Test
    void shouldWakeAllWhenAMemberIsGone() throws Exception {
        // The ranks that the originator wakes depend on whether the originator knows of the failure too, so this rank
        // cannot rely on them.
        rank.news().onEvidence(ProcessId.of(GONE), SUSPICION);
        assertThat(obituary.await(60, TimeUnit.SECONDS)).isTrue();
        revoke();
        assertThat(untold.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(isWoken).isNotEmpty().doesNotContainValue(false);
    }

    /** The originator's frame comes. */
    private void revoke() {
        ControlMessage revoke = new ControlMessage.Revoke(COMMUNICATOR, 0, SlotRuns.range(RANKS), ORIGIN.slot());
        byte[] bytes = ControlCodec.encode(revoke);
        Frame frame = new Frame().writeControl(new BufferPayload(ByteBuffer.wrap(bytes)));
        hub.fabric(ORIGIN.slot()).offer(PASSES_ON, LaneKind.CONTROL, frame);
    }

    /**
     * Makes a fabric that notes to which ranks this rank sends a revocation, and whether it wakes each of them by it.
     */
    private Fabric listening() {
        return InterceptedFabric.of(hub.fabric(PASSES_ON.slot()), (method, arguments) -> {
            if (method.equals("offer")) {
                note((ProcessId) arguments[0], (Frame) arguments[2]);
            }
            return null;
        });
    }

    private void note(ProcessId to, Frame frame) {
        if (frame.type() != FrameType.CONTROL) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(frame.payloadBytes());
        frame.copyPayloadTo(bytes);
        ControlMessage message = ControlCodec.decode(new WireReader(bytes.array()));
        if (message instanceof ControlMessage.Revoke) {
            isWoken.put(to.slot(), !frame.isUnhurried());
            untold.countDown();
        } else if (message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary) {
            obituary.countDown();
        }
    }
}
