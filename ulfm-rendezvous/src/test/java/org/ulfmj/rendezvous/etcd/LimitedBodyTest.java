package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

class LimitedBodyTest {
    private boolean isCancelled;

    private LimitedBody subscribed(LimitedBody body) {
        body.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                assertThat(count).isPositive();
            }

            @Override
            public void cancel() {
                isCancelled = true;
            }
        });
        return body;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static CompletableFuture<byte[]> future(LimitedBody body) {
        return body.getBody().toCompletableFuture();
    }

    @Test
    void shouldGatherTheWholeStream() {
        LimitedBody body = subscribed(LimitedBody.whole());
        body.onNext(List.of(bytes("a"), bytes("b\n")));
        body.onNext(List.of(bytes("c")));
        assertThat(future(body)).isNotDone();
        body.onComplete();
        assertThat(future(body))
                .isCompletedWithValueMatching(all -> new String(all, StandardCharsets.UTF_8).equals("ab\nc"));
        body.giveUp();
        assertThat(isCancelled).isFalse();
    }

    @Test
    void shouldEndAtTheFirstLineThatIsEnough() {
        LimitedBody body = subscribed(LimitedBody.firstLine(line -> line[0] == 'y'));
        body.onNext(List.of(bytes("n1\nn"), bytes("2\ny")));
        assertThat(future(body)).isNotDone();
        body.onNext(List.of(bytes("3\ny4\n")));
        assertThat(future(body))
                .isCompletedWithValueMatching(line -> new String(line, StandardCharsets.UTF_8).equals("y3\n"));
        assertThat(isCancelled).isTrue();
    }

    @Test
    void shouldCutOffWhatIsTooLong() {
        LimitedBody body = subscribed(LimitedBody.whole());
        ByteBuffer part = ByteBuffer.allocate(1 << 20);
        for (int i = 0; i < JsonReader.MAX_BYTES >> 20; i++) {
            body.onNext(List.of(part.duplicate()));
        }
        assertThat(future(body)).isNotDone();
        body.onNext(List.of(bytes("x")));
        assertThat(isCancelled).isTrue();
        assertThatThrownBy(() -> future(body).join())
                .hasCauseInstanceOf(JsonException.class)
                .hasMessageContaining("an answer of more than 33554432 bytes");
    }

    @Test
    void shouldCloseAConnectionThatIsGivenUp() {
        LimitedBody body = subscribed(LimitedBody.whole());
        body.giveUp();
        assertThat(isCancelled).isTrue();
        LimitedBody unsubscribed = LimitedBody.whole();
        unsubscribed.giveUp();
        unsubscribed.onError(new IllegalStateException("broken"));
        assertThatThrownBy(() -> future(unsubscribed).join()).hasMessageContaining("broken");
    }
}
