package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
            // Half wildcards are asked for only from the middle on: their views are built with messages waiting.
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

    @Test
    @Timeout(60)
    void shouldWorkOffLostOffersInStepsThatCostTheSame() {
        int count = 400_000;
        Peer gone = new Peer(new ProcessId(0, 0), false, 1);
        UnexpectedMessages messages = new UnexpectedMessages();
        for (int i = 0; i < count; i++) {
            UnexpectedMessage message = new UnexpectedMessage();
            message.from = gone;
            message.tag = i;
            message.offered = i % 4 != 3;
            messages.add(message);
        }
        messages.loseOffersOf(gone);
        for (int i = 0; i < count; i++) {
            UnexpectedMessage message = messages.first(0, i);
            assertThat(message.lost).isEqualTo(i % 4 != 3);
            assertThat(message.isBehindLost()).as("all before it are met").isEqualTo(message.lost);
            messages.remove(message);
        }
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
