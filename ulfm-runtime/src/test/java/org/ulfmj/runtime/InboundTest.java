package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
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

    /**
     * Shows that a message is refused whose header gives another length than its payload has, and an offer of negative
     * length: a rank that trusted such a length would report bytes that never came.
     */
    @Test
    void shouldRefuseAMessageThatIsNotAsLongAsItSays() {
        try (LocalRanks ranks = new LocalRanks(2)) {
            RankEngine engine = ranks.rank(0).engine();
            long world = ranks.rank(0).world().id();
            Frame longer = new Frame().writeMessage(world, MessageKey.POINT_TO_POINT, 1, 0, BufferPayload.EMPTY, 0);
            Frame offer = new Frame().writeOffer(world, MessageKey.POINT_TO_POINT, 1, 0, -5);
            longer.receive(ByteBuffer.allocate(9));
            offer.receive(ByteBuffer.allocate(0));
            engine.enter();
            try {
                for (Frame wrong : new Frame[] {longer, offer}) {
                    assertThatThrownBy(() -> engine.inbound().onFrame(ONE, LaneKind.DATA, wrong))
                            .isInstanceOf(WireFormatException.class)
                            .hasMessageStartingWith("wrong length in " + wrong.type());
                }
            } finally {
                engine.leave();
            }
        }
    }

    @Test
    void shouldRefuseAMessageThatIsNotAsLongAsItWasOffered() {
        try (LocalRanks ranks = new LocalRanks(2)) {
            RankEngine engine = ranks.rank(0).engine();
            long world = ranks.rank(0).world().id();
            Frame offer = new Frame()
                    .writeOffer(world, MessageKey.POINT_TO_POINT, 1, 0, 50)
                    .setAwaitsCredit()
                    .setSenderId(3);
            Frame pushed = new Frame()
                    .writeMessage(world, MessageKey.POINT_TO_POINT, 1, 0, BufferPayload.EMPTY, 0)
                    .setOffered(3);
            engine.enter();
            try {
                engine.inbound().onFrame(ONE, LaneKind.DATA, offer.receive(ByteBuffer.allocate(0)));
                pushed.receive(ByteBuffer.allocate(0));
                assertThatThrownBy(() -> engine.inbound().onFrame(ONE, LaneKind.DATA, pushed))
                        .isInstanceOf(WireFormatException.class)
                        .hasMessageStartingWith("a message of 50 bytes was offered: ");
            } finally {
                engine.leave();
            }
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
