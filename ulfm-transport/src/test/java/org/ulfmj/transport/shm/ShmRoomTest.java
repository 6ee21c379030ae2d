package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.transport.host.HostProcess;

class ShmRoomTest {
    private static final long BOUND_BYTES = 1 << 20;
    private static final int FILE_BYTES = 1000;
    private static final HostProcess DEAD = new HostProcess(
            1L << 40, 1, HostProcess.self().pidNamespace(), HostProcess.self().bootId());

    @TempDir
    Path directory;

    private ShmRoom room(String name, HostProcess owner) throws IOException {
        return new ShmRoom(directory, OwnerFile.create(directory, name, owner), BOUND_BYTES);
    }

    /** No owner record of others is read while there is room: one that cannot be read would be an error. */
    @Test
    void shouldReadNoRecordOfOthersWhileThereIsRoom() throws IOException {
        ShmRoom room = room("0.0", HostProcess.self());
        Files.write(directory.resolve(OwnerFile.PREFIX + "1.0"), new byte[OwnerFile.BYTES]);

        for (int i = 0; i < 100; i++) {
            assertThat(room.reserve(FILE_BYTES, BOUND_BYTES)).isTrue();
        }
    }

    @Test
    void shouldCountWhatTheDeadHadUntilTheyAreForgottenAndNotTwice() throws IOException {
        ShmRoom dead = room("1.0", DEAD);
        ShmRoom zero = room("0.0", HostProcess.self());
        ShmRoom two = room("2.0", HostProcess.self());
        dead.reserve((int) BOUND_BYTES, BOUND_BYTES);
        assertThat(zero.reserve(FILE_BYTES, BOUND_BYTES)).as("beside the dead").isTrue();

        zero.forget("1.0");
        two.forget("1.0");
        dead.giveBack((int) BOUND_BYTES);

        assertThat(ShmTotal.open(directory).bytes()).isEqualTo(FILE_BYTES);
        assertThat(two.reserve((int) BOUND_BYTES, BOUND_BYTES)).isFalse();
        assertThat(two.reserve((int) BOUND_BYTES - FILE_BYTES, BOUND_BYTES)).isTrue();
    }

    @Test
    void shouldNeverLetInMoreThanTheBoundHoweverManyAskAtOnce() throws IOException, InterruptedException {
        AtomicLong letIn = new AtomicLong();
        AtomicLong most = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ShmRoom room = room(i + ".0", HostProcess.self());
            int bytes = (int) BOUND_BYTES / 3 + i;
            threads.add(new Thread(() -> {
                for (int round = 0; round < 2_000; round++) {
                    try {
                        if (room.reserve(bytes, BOUND_BYTES)) {
                            most.accumulateAndGet(letIn.addAndGet(bytes), Math::max);
                            letIn.addAndGet(-bytes);
                            room.giveBack(bytes);
                        }
                    } catch (IOException e) {
                        most.set(Long.MAX_VALUE);
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(most.get()).isBetween(1L, BOUND_BYTES);
        assertThat(ShmTotal.open(directory).bytes()).isZero();
    }
}
