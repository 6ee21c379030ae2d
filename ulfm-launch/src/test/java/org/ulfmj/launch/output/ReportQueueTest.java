package org.ulfmj.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReportQueueTest {
    private final CountDownLatch read = new CountDownLatch(1);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    /** A stream that blocks each write until the test lets it be read. */
    private final OutputStream stream = new OutputStream() {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                if (!read.await(30, TimeUnit.SECONDS)) {
                    throw new IOException("never read");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            synchronized (written) {
                written.write(bytes, offset, length);
            }
        }
    };

    private final ReportQueue queue = new ReportQueue(new LineSink(stream, new LineSink.Turn(), true, e -> {}));

    @Test
    void shouldReturnAtOnceWhileNothingReadsAndWriteItWhenSomethingDoes() {
        Report report = new Report(queue, false);
        report.say("one");
        report.say("two");
        assertThat(queue.isEmpty()).isFalse();
        read.countDown();
        awaitEmpty();
        assertThat(text()).isEqualTo("mpiexec: one\nmpiexec: two\n");
    }

    @Test
    void shouldCountWhatDoesNotFitAndGoOnAfterIt() {
        byte[] line = (".".repeat(9_999) + "\n").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 200; i++) {
            queue.accept(line);
        }
        read.countDown();
        awaitEmpty();
        queue.accept("after\n".getBytes(StandardCharsets.UTF_8));
        awaitEmpty();
        long lines = text().lines().filter(each -> each.startsWith("...")).count();
        assertThat(lines).isBetween(100L, 110L);
        assertThat(text())
                .endsWith("mpiexec: " + (200 - lines) + " messages are lost here, because nothing read them\nafter\n");
    }

    private void awaitEmpty() {
        while (!queue.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private String text() {
        synchronized (written) {
            return written.toString(StandardCharsets.UTF_8);
        }
    }
}
