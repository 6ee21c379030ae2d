package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostedReceivesTest {
    private static final int ANY = -1;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldMatchTheOldestReceiveThatFits(long seed) {
        PostedReceives posted = new PostedReceives();
        List<ReceiveOperation> model = new ArrayList<>();
        Random random = new Random(seed);
        for (int step = 0; step < 10_000; step++) {
            int action = random.nextInt(10);
            if (action < 5) {
                ReceiveOperation receive = new ReceiveOperation(null);
                receive.wantedSource = random.nextInt(4) - 1;
                receive.wantedTag = random.nextInt(4) - 1;
                posted.post(receive);
                model.add(receive);
            } else if (action < 9) {
                int source = random.nextInt(3);
                int tag = random.nextInt(3);
                ReceiveOperation expected = oldest(model, source, tag);
                assertThat(posted.match(source, tag)).isSameAs(expected);
                model.remove(expected);
            } else if (!model.isEmpty()) {
                posted.remove(model.remove(random.nextInt(model.size())));
            }
            assertThat(posted.size()).isEqualTo(model.size());
        }
    }

    private static ReceiveOperation oldest(List<ReceiveOperation> inOrder, int source, int tag) {
        for (ReceiveOperation receive : inOrder) {
            if ((receive.wantedSource == ANY || receive.wantedSource == source)
                    && (receive.wantedTag == ANY || receive.wantedTag == tag)) {
                return receive;
            }
        }
        return null;
    }
}
