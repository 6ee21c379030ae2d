package org.ulfmj.rendezvous.etcd;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Predicate;

/**
 * Gathers an answer, up to {@link JsonReader#MAX_BYTES}: a longer answer is refused and its connection is closed. The
 * answer is complete at the end of the stream or, for a stream that does not end by itself, after the first line that
 * is enough; there the limit holds for each line.
 */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    private final Predicate<byte[]> isEnough;
    private volatile Flow.Subscription subscription;

    private LimitedBody(Predicate<byte[]> isEnough) {
        this.isEnough = isEnough;
    }

    /** The whole stream. */
    static LimitedBody whole() {
        return new LimitedBody(null);
    }

    /**
     * Takes the first line for which {@code isEnough} holds, and drops the lines before it. The connection is then
     * closed.
     *
     * @param isEnough must not throw
     */
    static LimitedBody firstLine(Predicate<byte[]> isEnough) {
        return new LimitedBody(isEnough);
    }

    /** Gives up an answer that is not complete, and closes its connection. Any thread. */
    void giveUp() {
        if (subscription != null && !body.isDone()) {
            subscription.cancel();
        }
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription granted) {
        subscription = granted;
        granted.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining() && !body.isDone()) {
                take(buffer);
            }
        }
    }

    private void take(ByteBuffer buffer) {
        int length = isEnough == null ? buffer.remaining() : lengthOfLine(buffer);
        if (gathered.size() + (long) length > JsonReader.MAX_BYTES) {
            subscription.cancel();
            body.completeExceptionally(new JsonException(
                    "an answer of more than " + JsonReader.MAX_BYTES + " bytes, which are not taken"));
            return;
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        gathered.write(bytes, 0, length);
        if (isEnough != null && bytes[length - 1] == '\n') {
            byte[] line = gathered.toByteArray();
            gathered.reset();
            if (isEnough.test(line)) {
                subscription.cancel();
                body.complete(line);
            }
        }
    }

    /** How many bytes of the buffer belong to the present line, with the line end. */
    private static int lengthOfLine(ByteBuffer buffer) {
        for (int i = buffer.position(); i < buffer.limit(); i++) {
            if (buffer.get(i) == '\n') {
                return i + 1 - buffer.position();
            }
        }
        return buffer.remaining();
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(gathered.toByteArray());
    }
}
