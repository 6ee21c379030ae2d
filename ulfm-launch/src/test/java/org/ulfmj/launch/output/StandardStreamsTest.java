package org.ulfmj.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardStreamsTest {
    private static final int THREADS = 8;
    private static final int LENGTH_BYTES = 100_000;

    @TempDir
    Path directory;

    @Test
    void shouldWriteAllByOneBufferWhicheverThreadWrites() throws Exception {
        Path file = directory.resolve("out");
        CountDownLatch allHaveWritten = new CountDownLatch(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (FileOutputStream stream = new FileOutputStream(file.toFile())) {
            OutputStream descriptor = new StandardStreams.Descriptor(stream.getFD());
            long before = directBytes();
            Future<?> last = null;
            for (int thread = 0; thread < THREADS; thread++) {
                last = threads.submit(() -> {
                    synchronized (descriptor) {
                        descriptor.write(new byte[LENGTH_BYTES]);
                    }
                    allHaveWritten.countDown();
                    return allHaveWritten.await(60, TimeUnit.SECONDS);
                });
            }
            last.get(60, TimeUnit.SECONDS);
            assertThat(directBytes() - before).isLessThanOrEqualTo(LENGTH_BYTES);
            assertThat(Files.size(file)).isEqualTo((long) THREADS * LENGTH_BYTES);
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Returns the number of bytes in all direct buffers, including those that the JDK keeps for threads that write:
     * these threads must still be alive at this time.
     */
    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
