package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.local.LocalHub;

class PullsTest {
    private static final ProcessId OWNER = ProcessId.of(0);
    private static final int BYTES = 1000;
    private static final int OFFSET = 24;
    private static final long NUMBER = 7;

    private static final RankSettings SETTINGS = RankSettings.of(Timing.fromTimeout(1_000_000_000));

    private final LocalHub hub = new LocalHub(2);
    private final HostMemory owner = hub.fabric(0).hostMemory();
    private final HostMemory reader = hub.fabric(1).hostMemory();
    private final Pulls pulls =
            new Pulls(reader, new Division(reader, null, null, null, SETTINGS), null, new ReentrantLock());
    private final Lent lent = owner.lend(OFFSET + BYTES);
    private final ByteBuffer target = ByteBuffer.allocate(BYTES);
    private final ReceiveOperation receive = new ReceiveOperation(null);

    PullsTest() {
        for (int at = 0; at < OFFSET + BYTES; at++) {
            lent.memory().put(at, (byte) at);
        }
        receive.peer = new Peer(OWNER, false, 0);
        receive.payload = new BufferPayload(target);
        receive.messageBytes = BYTES;
        receive.senderId = NUMBER;
        receive.place.of(lent.id(), OFFSET, owner.takenBack(OWNER, NUMBER));
    }

    @Test
    void shouldCopyFromWhereTheMessageLies() {
        assertThat(pulls.begin(receive)).isTrue();
        assertThat(pulls.advance()).isSameAs(receive);
        assertThat(pulls.isWhole(receive)).isTrue();
        assertThat(pulls.isEmpty()).isTrue();
        for (int at = 0; at < BYTES; at++) {
            assertThat(target.get(at)).isEqualTo((byte) (OFFSET + at));
        }
    }

    @Test
    void shouldNotTakeForWholeWhatWasTakenBackMeanwhile() {
        assertThat(pulls.begin(receive)).isTrue();
        pulls.advance();
        owner.takeBack(NUMBER);

        assertThat(pulls.isWhole(receive)).isFalse();
    }

    @Test
    void shouldNotBeginWithWhatItCannotRead() {
        receive.place.of(lent.id() + 1, OFFSET, 0);
        assertThat(pulls.begin(receive)).isFalse();

        receive.place.of(lent.id(), OFFSET + 1, 0);
        assertThat(pulls.begin(receive)).as("beyond the end").isFalse();

        receive.place.of(lent.id(), -1, 0);
        assertThat(pulls.begin(receive)).as("before the beginning").isFalse();
        assertThat(pulls.isEmpty()).isTrue();
    }

    @Test
    void shouldLetGoOfAReceiveThatEnds() {
        assertThat(pulls.begin(receive)).isTrue();
        pulls.forget(receive);

        assertThat(pulls.isEmpty()).isTrue();
        assertThat(target.get(BYTES - 1)).isZero();
    }
}
