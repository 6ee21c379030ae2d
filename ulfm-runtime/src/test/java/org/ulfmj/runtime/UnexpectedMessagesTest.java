package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static UnexpectedMessage oldest(List<UnexpectedMessage> inOrder, int source, int tag) {
        for (UnexpectedMessage message : inOrder) {
            if ((source == ANY || source == message.source) && (tag == ANY || tag == message.tag)) {
                return message;
            }
        }
        return null;
    }
}
