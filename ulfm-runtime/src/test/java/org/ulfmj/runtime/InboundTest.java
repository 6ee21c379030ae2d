package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;

class InboundTest {
    private static final ProcessId ONE = ProcessId.of(1);

    private static Frame message(long communicator) {
        Frame frame = new Frame().writeMessage(communicator, MessageKey.POINT_TO_POINT, 1, 0, BufferPayload.EMPTY, 0);
        return frame.receive(ByteBuffer.allocate(0));
    }

    @Test
    void shouldPassOnThatALinkBrokeAndThatItIsMended() {
        try (LocalRanks ranks = new LocalRanks(2)) {
            RankEngine engine = ranks.rank(0).engine();
            engine.enter();
            try {
                engine.inbound().onLinkBroken(ONE);
                engine.inbound().onLinkRestored(ONE);
            } finally {
                engine.leave();
            }
            assertThat(ranks.links).containsExactly("0: broken 1", "0: restored 1");
        }
    }

    @Test
    void shouldHoldNothingForACommunicatorThatIsGivenUp() {
        try (LocalRanks ranks = new LocalRanks(2)) {
            RankEngine engine = ranks.rank(0).engine();
            engine.enter();
            try {
                engine.inbound().onFrame(ONE, LaneKind.DATA, message(77));
                engine.inbound().onFrame(ONE, LaneKind.DATA, message(78));
                assertThat(engine.inbound().heldFrames()).isEqualTo(2);
                engine.control().aborted(77, ranks.rank(0).world().members(), 0);
                assertThat(engine.inbound().heldFrames()).as("held before").isEqualTo(1);
                engine.inbound().onFrame(ONE, LaneKind.DATA, message(77));
                assertThat(engine.inbound().heldFrames()).as("held afterwards").isEqualTo(1);
            } finally {
                engine.leave();
            }
        }
    }
}
