package org.ulfmj.runtime.side;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SideThreadTest {
    private static final long SOON_NS = 20_000_000;
    private static final long LATE_NS = 30_000_000_000L;

    /** A pipe that is full, so that a write blocks until the reader reads. */
    private static final class Full extends OutputStream {
        final CountDownLatch reads = new CountDownLatch(1);
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void write(int value) throws IOException {
            try {
                reads.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            bytes.write(value);
        }
    }

    @Test
    void shouldWaitForLinesThatAreNotWritten() {
        PrintStream before = System.err;
        Full pipe = new Full();
        SideThread thread = new SideThread("lines");
        System.setErr(new PrintStream(pipe, true));
        try {
            thread.add(new SideThread.Line("one"));
            thread.add(new SideThread.Line("two"));
            assertThat(thread.awaitLines(SOON_NS))
                    .as("while no process reads them")
                    .isFalse();
            pipe.reads.countDown();
            assertThat(thread.awaitLines(LATE_NS)).isTrue();
            assertThat(pipe.bytes.toString().lines()).containsExactly("one", "two");
        } finally {
            System.setErr(before);
        }
    }

    @Test
    void shouldNotWaitForAnActionOfTheProgram() throws InterruptedException {
        SideThread thread = new SideThread("action");
        CountDownLatch begins = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        thread.add(() -> {
            begins.countDown();
            try {
                ends.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        begins.await();
        assertThat(thread.awaitLines(0)).isTrue();
        ends.countDown();
    }
}
