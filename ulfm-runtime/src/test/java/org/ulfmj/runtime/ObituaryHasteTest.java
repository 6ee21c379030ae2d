package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.local.LocalHub;

/**
 * Shows when an obituary is sent so that it does not wake its receiver: only for a certain death in a job whose
 * launcher tells all ranks of deaths.
 */
class ObituaryHasteTest {
    private static final ProcessId TELLS = ProcessId.of(0);
    private static final ProcessId DEAD = ProcessId.of(2);
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.MINUTES.toNanos(5));

    private final LocalHub hub = new LocalHub(3);
    private final CompletableFuture<Boolean> isObituaryUnhurried = new CompletableFuture<>();

    @ParameterizedTest
    @CsvSource({"CERTAIN, true, true", "CERTAIN, false, false", "SUSPECTED, true, false"})
    void shouldBeUnhurriedWhenAllAreToldOfACertainDeath(
            Evidence.Kind evidence, boolean isToldOfDeaths, boolean isUnhurried) throws Exception {
        RankIdentity identity = new RankIdentity(TELLS, Membership.initial(3), new byte[1]);
        RankRuntime rank = RankRuntime.create(
                identity, listening(), System::nanoTime, RankSettings.of(TIMING), new Hooks(isToldOfDeaths));
        rank.news().onEvidence(DEAD, new Evidence(evidence, TELLS, "for a test"));
        assertThat(isObituaryUnhurried.get(60, TimeUnit.SECONDS)).isEqualTo(isUnhurried);
        rank.kill(new Error("the test is over"));
    }

    /** Makes a fabric that notes whether the first obituary that the rank sends is marked as unhurried. */
    private Fabric listening() {
        return InterceptedFabric.of(hub.fabric(TELLS.slot()), (method, arguments) -> {
            if (method.equals("offer") && isObituary((Frame) arguments[2])) {
                isObituaryUnhurried.complete(((Frame) arguments[2]).isUnhurried());
            }
            return null;
        });
    }

    private static boolean isObituary(Frame frame) {
        if (frame.type() != FrameType.CONTROL) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.allocate(frame.payloadBytes());
        frame.copyPayloadTo(bytes);
        return ControlCodec.decode(new WireReader(bytes.array())) instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary;
    }

    private static final class Hooks extends SilentHooks {
        private final boolean isToldOfDeaths;

        Hooks(boolean isToldOfDeaths) {
            this.isToldOfDeaths = isToldOfDeaths;
        }

        @Override
        public boolean isToldOfDeaths() {
            return isToldOfDeaths;
        }
    }
}
