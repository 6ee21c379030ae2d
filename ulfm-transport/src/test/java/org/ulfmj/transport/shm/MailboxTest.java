package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.LaneKind;

class MailboxTest {
    private static final int RANKS = 3;

    private final Mailbox mailbox =
            new Mailbox(ByteBuffer.allocateDirect(Mailbox.bytesFor(RANKS)).order(ByteOrder.nativeOrder()));

    private static ProcessId process(int incarnation) {
        return new ProcessId(1, incarnation);
    }

    /**
     * A process that was stopped before it announced its lane, while two successors have come: the place of its slot in
     * the mailbox already belongs to the second successor.
     */
    @Test
    void shouldKeepTheNamesOfASuccessorWhenAnOlderProcessIsWoken() {
        mailbox.announce(process(2), LaneKind.CONTROL, 20);
        mailbox.announce(process(2), LaneKind.DATA, 21);

        mailbox.announce(process(0), LaneKind.DATA, 1);

        assertThat(mailbox.lane(process(2), LaneKind.CONTROL)).isEqualTo(20);
        assertThat(mailbox.lane(process(2), LaneKind.DATA)).isEqualTo(21);
        assertThat(mailbox.lane(process(0), LaneKind.DATA)).isZero();
    }

    @Test
    void shouldGiveTheRoomToASuccessorAndEmptyItFirst() {
        mailbox.announce(process(0), LaneKind.CONTROL, 1);

        mailbox.announce(process(2), LaneKind.DATA, 21);

        assertThat(mailbox.lane(process(2), LaneKind.CONTROL)).isZero();
        assertThat(mailbox.lane(process(2), LaneKind.DATA)).isEqualTo(21);
        assertThat(mailbox.lane(process(0), LaneKind.CONTROL)).isZero();
    }
}
