package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.transport.host.HostProcess;

@Timeout(60)
class GivenUpTest {
    private static final long BOUND_BYTES = 1 << 20;
    private static final int MAPPING_BYTES = 4096;

    @TempDir
    Path directory;

    private final AtomicLong nowNs = new AtomicLong();
    private final AtomicInteger collections = new AtomicInteger();
    private ShmRoom room;

    @BeforeEach
    void makeRoom() throws IOException {
        room = new ShmRoom(directory, OwnerFile.create(directory, "0.0", HostProcess.self()), BOUND_BYTES);
    }

    private GivenUp givenUp(Consumer<Thread> starter) {
        return new GivenUp(room, nowNs::get, collections::incrementAndGet, starter);
    }

    /** Sets the clock on by one second, for which a collector thread may have to wait, and runs its task here. */
    private void runAfterASecond(Thread thread) {
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        thread.run();
    }

    private int collectionsOfRefusals(GivenUp givenUp, long seconds) {
        int before = collections.get();
        long endNs = nowNs.get() + TimeUnit.SECONDS.toNanos(seconds);
        while (nowNs.get() < endNs) {
            givenUp.collectLater();
            nowNs.addAndGet(OutboundLanes.REFUSAL_NS);
        }
        return collections.get() - before;
    }

    private MappedByteBuffer mapping() throws IOException {
        Path file = Files.createTempFile(directory, "mapping", "");
        Files.write(file, new byte[MAPPING_BYTES]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, MAPPING_BYTES);
        }
    }

    @Test
    void shouldSeldomCollectForACallerThatIsRefusedForHours() throws IOException {
        GivenUp givenUp = givenUp(this::runAfterASecond);

        assertThat(collectionsOfRefusals(givenUp, 3_600)).isBetween(10, 3_600 / 60 + 10);

        MappedByteBuffer held = mapping();
        givenUp.add(held, false);
        int before = collections.get();
        givenUp.collectLater();
        assertThat(collections.get() - before)
                .as("at once where there is more to find")
                .isEqualTo(1);
        assertThat(held.capacity()).isEqualTo(MAPPING_BYTES);
    }

    @Test
    void shouldGoOnWhereNoThreadCanBeHad() {
        boolean[] hasThreads = new boolean[1];
        GivenUp givenUp = givenUp(thread -> {
            if (!hasThreads[0]) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            runAfterASecond(thread);
        });

        givenUp.collectLater();
        assertThat(collections).hasValue(0);
        hasThreads[0] = true;
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        givenUp.collectLater();
        assertThat(collections).hasValue(1);
    }

    @Test
    void shouldCollectOnceInASecondForACallerThatWaits() {
        GivenUp givenUp = givenUp(this::runAfterASecond);

        assertThat(givenUp.collect()).isTrue();
        assertThat(givenUp.collect()).isFalse();
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(givenUp.collect()).as("also where the last one was in vain").isTrue();
        assertThat(collections).hasValue(2);
    }
}
