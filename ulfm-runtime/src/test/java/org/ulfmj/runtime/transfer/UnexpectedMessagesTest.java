package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;

class UnexpectedMessagesTest {
    private static final int ANY = -1;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldFindTheOldestThatFitsWhateverIsAsked(long seed) {
        UnexpectedMessages messages = new UnexpectedMessages();
        List<UnexpectedMessage> model = new ArrayList<>();
        Random random = new Random(seed);
        for (int step = 0; step < 5_000; step++) {
            // Receives with wildcards come only in the second half of the run, so that the queues for single wildcards
            // are built while messages wait.
            int source = random.nextInt(step < 2_500 ? 4 : 5) - (step < 2_500 ? 0 : 1);
            int tag = random.nextInt(step < 2_500 ? 4 : 5) - (step < 2_500 ? 0 : 1);
            UnexpectedMessage expected = oldest(model, source, tag);
            assertThat(messages.first(source, tag)).isSameAs(expected);
            if (expected != null && random.nextBoolean()) {
                messages.remove(expected);
                model.remove(expected);
            }
            if (random.nextInt(5) < 3) {
                UnexpectedMessage message = new UnexpectedMessage();
                message.source = random.nextInt(4);
                message.tag = random.nextInt(4);
                messages.add(message);
                model.add(message);
            }
            assertThat(messages.size()).isEqualTo(model.size());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldLetNoMessageOvertakeALostOneOfItsSender(long seed) {
        Random random = new Random(seed);
        Peer[] peers = {new Peer(new ProcessId(0, 0), false, 1), new Peer(new ProcessId(1, 0), false, 1)};
        UnexpectedMessages messages = new UnexpectedMessages();
        List<UnexpectedMessage> model = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            UnexpectedMessage message = new UnexpectedMessage();
            message.source = random.nextInt(2);
            message.from = peers[message.source];
            message.tag = random.nextInt(3);
            message.offered = random.nextBoolean();
            messages.add(message);
            model.add(message);
        }
        messages.loseOffersOf(peers[0]);
        while (!model.isEmpty()) {
            int tag = random.nextInt(4) - 1;
            assertThat(messages.first(ANY, tag)).isSameAs(firstThatOvertakesNone(model, tag));
            int source = random.nextInt(2);
            UnexpectedMessage named = messages.first(source, tag);
            assertThat(named).isSameAs(oldest(model, source, tag));
            if (named != null) {
                messages.remove(named);
                model.remove(named);
            }
        }
    }

    /**
     * Shows by the number of looks that receives from any source do not look at a dead sender's lost offers again and
     * again.
     */
    @ParameterizedTest
    @ValueSource(ints = {ANY, 3})
    void shouldReceiveFromAnySourceInStepsThatCostTheSameWhateverIsLost(int tag) {
        int count = 100_000;
        Peer dead = new Peer(new ProcessId(0, 0), false, 1);
        Peer living = new Peer(new ProcessId(1, 0), false, 1);
        UnexpectedMessages messages = new UnexpectedMessages();
        for (int i = 0; i < count; i++) {
            add(messages, dead, 3, i % 4 != 3);
        }
        messages.loseOffersOf(dead);
        for (int i = 0; i < count; i++) {
            add(messages, living, 3, false);
        }
        long before = messages.looks();
        for (int i = 0; i < count; i++) {
            UnexpectedMessage message = messages.first(ANY, tag);
            assertThat(message.from).isSameAs(living);
            messages.remove(message);
        }
        assertThat(messages.first(ANY, tag)).isNull();
        for (int i = 0; i < count; i++) {
            UnexpectedMessage message = messages.first(0, tag);
            assertThat(message.lost).isEqualTo(i % 4 != 3);
            // A whole message between two lost ones can be received from any source once the messages before it are
            // taken.
            assertThat(messages.first(ANY, tag)).isSameAs(message.lost ? null : message);
            messages.remove(message);
        }
        assertThat(messages.oldest()).isNull();
        assertThat(messages.looks() - before).isLessThan(10L * count);
    }

    @Test
    void shouldKeepWhatComesLateOfASenderThatLeftBehindWhatItLost() {
        Peer left = new Peer(new ProcessId(0, 0), false, 1);
        UnexpectedMessages messages = new UnexpectedMessages();
        add(messages, left, 1, true);
        messages.loseOffersOf(left);
        UnexpectedMessage late = add(messages, left, 1, false);
        assertThat(messages.first(ANY, 1)).isNull();
        assertThat(messages.first(ANY, ANY)).isNull();
        messages.remove(messages.first(0, 1));
        assertThat(messages.first(ANY, ANY)).isSameAs(late);
        messages.remove(late);
        assertThat(messages.first(0, ANY)).isNull();
    }

    private static UnexpectedMessage add(UnexpectedMessages messages, Peer from, int tag, boolean isOffered) {
        UnexpectedMessage message = new UnexpectedMessage();
        message.from = from;
        message.source = from.id.slot();
        message.tag = tag;
        message.offered = isOffered;
        messages.add(message);
        return message;
    }

    private static UnexpectedMessage firstThatOvertakesNone(List<UnexpectedMessage> inOrder, int tag) {
        boolean isLost = false;
        for (UnexpectedMessage message : inOrder) {
            boolean fits = tag == ANY || message.tag == tag;
            isLost |= fits && message.lost;
            if (fits && !(isLost && message.source == 0)) {
                return message;
            }
        }
        return null;
    }

    private static UnexpectedMessage oldest(List<UnexpectedMessage> inOrder, int source, int tag) {
        for (UnexpectedMessage message : inOrder) {
            if ((source == ANY || source == message.source) && (tag == ANY || tag == message.tag)) {
                return message;
            }
        }
        return null;
    }
}
