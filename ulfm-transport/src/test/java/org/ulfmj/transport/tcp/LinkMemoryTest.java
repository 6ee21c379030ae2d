package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;

/** The links of a process share memory of limited size for data frames, which only one frame per link may exceed. */
class LinkMemoryTest {
    private static final int KIB = 1024;
    /** The payload of a frame for which a link takes 64 KiB of memory. */
    private static final int FRAME_BYTES = 40 * KIB;

    private final LinkMemory memory = new LinkMemory(1024 * KIB);

    @Test
    void shouldRefuseAFrameWhenAllLinksTogetherKeepTooMuch() {
        SendQueue[] links = new SendQueue[20];
        for (int i = 0; i < links.length; i++) {
            links[i] = new SendQueue(memory);
            assertThat(offer(links[i])).as("each link may keep one frame").isTrue();
        }
        assertThat(memory.heldBytes()).isEqualTo(links.length * 64L * KIB);
        assertThat(offer(links[3])).as("a second one has no room").isFalse();
        assertThat(links[3].append(LaneKind.CONTROL, Frames.numbered(1, new byte[500])))
                .as("control frames are exempt")
                .isTrue();
        links[5].discard();
        assertThat(offer(links[4])).as("the limit is still passed").isFalse();
    }

    @Test
    void shouldGiveALinkWhatAnotherOneHasGivenBack() {
        ByteBuffer first = memory.take(64 * KIB, false);
        assertThat(memory.take(1024 * KIB, false)).isNull();
        memory.give(first);
        assertThat(memory.take(64 * KIB, false)).isSameAs(first);
        assertThat(memory.heldBytes()).isEqualTo(64 * KIB);
    }

    @Test
    void shouldKeepLessThanTheLimitHoweverManyFramesAreOffered() {
        SendQueue[] links = {new SendQueue(memory), new SendQueue(memory), new SendQueue(memory)};
        for (int i = 0; i < 300; i++) {
            offer(links[i % links.length]);
        }
        assertThat(memory.heldBytes()).isLessThanOrEqualTo(1024 * KIB);
    }

    @Test
    void shouldGiveNoLinkWhatAnotherHasOutgrownAndMayStillWriteFrom() {
        FrameRing first = new FrameRing(1024 * KIB, memory);
        FrameRing second = new FrameRing(1024 * KIB, memory);
        append(first, (byte) 1);
        first.nextSequence();
        int from = first.nextOffset();
        ByteBuffer run = first.bytes(from, from + first.stamp(1, 0));
        byte[] written = new byte[run.remaining()];
        run.duplicate().get(written);

        append(first, (byte) 2);
        for (int i = 0; i < 3; i++) {
            append(second, (byte) 3);
        }

        byte[] rest = new byte[run.remaining()];
        run.get(rest);
        assertThat(rest).isEqualTo(written);
    }

    @Test
    void shouldLetSpareMemoryOfOtherLengthsKeepNoLinkFromGrowing() {
        memory.give(memory.take(512 * KIB, false));
        memory.give(memory.take(256 * KIB, false));
        assertThat(memory.take(1024 * KIB, false)).isNotNull();
        assertThat(memory.heldBytes()).isEqualTo(1024 * KIB);
    }

    @Test
    void shouldNotBeScarceOnceLinksHaveGivenBackWhatTheyHeld() {
        ByteBuffer first = memory.take(512 * KIB, false);
        ByteBuffer second = memory.take(256 * KIB, false);
        assertThat(memory.isScarce()).isTrue();
        memory.give(first);
        assertThat(memory.isScarce()).isFalse();
        memory.take(512 * KIB, false);
        assertThat(memory.isScarce()).isTrue();
        memory.give(second);
        assertThat(memory.isScarce()).isFalse();
    }

    @Test
    void shouldGiveALinkSpareMemoryThatItWouldGrowIntoAnyway() {
        ByteBuffer grown = memory.take(512 * KIB, false);
        memory.give(grown);
        assertThat(memory.take(32 * KIB, false)).isSameAs(grown);
        assertThat(memory.heldBytes()).isEqualTo(512 * KIB);
    }

    @Test
    void shouldAskForAcknowledgementsAtOnceWhileMemoryIsScarce() {
        QueueOfALink link = new QueueOfALink(memory);
        link.connect(0);
        link.offer(LaneKind.DATA, 0, 100);
        long next = link.writeRun(1);
        assertThat(link.asksForAcknowledgement).isFalse();
        memory.take(512 * KIB, false);
        link.offer(LaneKind.DATA, 1, 100);
        link.writeRun(next);
        assertThat(link.asksForAcknowledgement).isTrue();
    }

    private static void append(FrameRing ring, byte content) {
        byte[] payload = new byte[FRAME_BYTES];
        Arrays.fill(payload, content);
        assertThat(ring.append(Frames.numbered(0, payload), 0, false)).isTrue();
    }

    private static boolean offer(SendQueue link) {
        return link.append(LaneKind.DATA, Frames.numbered(0, new byte[FRAME_BYTES]));
    }
}
