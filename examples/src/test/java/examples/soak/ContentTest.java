package examples.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import mpi.MPI;
import mpi.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.LocalWorld;

/**
 * Tests that the checks of the soak find a message that differs from the expected one, and a write into a buffer whose
 * receive has failed.
 */
class ContentTest {
    private static final int TAG = 64;

    /** Sends {@code sent} to this rank itself, and checks it against {@code expected}. */
    private static void receive(Message expected, Message sent, boolean isDirect) {
        Inbox inbox = Inbox.of(expected.length(), isDirect);
        byte[] bytes = sent.bytes();
        Status status = MPI.COMM_WORLD.sendRecv(
                bytes,
                bytes.length,
                MPI.BYTE,
                0,
                sent.tag(),
                inbox.buffer(),
                inbox.capacity(),
                MPI.BYTE,
                0,
                MPI.ANY_TAG);
        inbox.check(expected, status, RankStatus.inMemory());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNoticeWhateverIsNotAsItMustBe(boolean isDirect) {
        LocalWorld.run(1, () -> {
                    MPI.Init(new String[0]);
                    Scope world = new Scope(MPI.COMM_WORLD, 0);
                    Message right = new Message(world, 0, 0, TAG, 17, 1003);
                    assertThatCode(() -> receive(right, right, isDirect)).doesNotThrowAnyException();
                    assertThatThrownBy(() -> receive(right, new Message(world, 0, 0, TAG, 18, 1003), isDirect))
                            .isInstanceOf(WrongValueException.class)
                            .hasMessageStartingWith(
                                    "byte 0 or one soon after it is wrong in the message of 1003 bytes");
                    assertThatThrownBy(() -> receive(right, right.ofLength(1002), isDirect))
                            .isInstanceOf(WrongValueException.class)
                            .hasMessageContaining("but 1002 bytes");
                    assertThatThrownBy(() -> receive(right, right.ofTag(1), isDirect))
                            .isInstanceOf(WrongValueException.class)
                            .hasMessageContaining("with tag 65");
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 8, 500, 1000, 1002})
    void shouldNoticeOneWrongBit(int at) {
        byte[] bytes = Pattern.bytes(17, 1003);
        assertThat(Pattern.mismatch(bytes, 0, bytes.length, 17)).isEqualTo(-1);
        bytes[at] ^= 4;
        assertThat(Pattern.mismatch(bytes, 0, bytes.length, 17)).isBetween(at - 7, at);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNoticeWhoWritesIntoABufferWhoseReceiveHasFailed(boolean isDirect) {
        OpenInboxes inboxes = new OpenInboxes();
        Inbox checked = Inbox.of(10, isDirect);
        Inbox failed = Inbox.of(10, isDirect);
        inboxes.add(checked);
        inboxes.add(failed);
        inboxes.remove(checked);
        write(failed, 1);
        inboxes.seal();
        write(checked, 2);
        assertThatCode(inboxes::requireUnchanged).doesNotThrowAnyException();

        inboxes.add(failed);
        inboxes.seal();
        write(failed, 3);
        assertThatThrownBy(inboxes::requireUnchanged).isInstanceOf(WrongValueException.class);
    }

    private static void write(Inbox inbox, int value) {
        if (inbox.buffer() instanceof ByteBuffer direct) {
            direct.put(3, (byte) value);
        } else {
            ((byte[]) inbox.buffer())[3] = (byte) value;
        }
    }
}
