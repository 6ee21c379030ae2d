package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.transport.OtherProcess;
import org.ulfmj.transport.host.HostProcess;

class ShmWriterTest {
    private static final int START_FIELD = 19;

    private final HostProcess self = HostProcess.self();
    private final Process process = start();

    private static Process start() {
        try {
            return new ProcessBuilder("sleep", "600").start();
        } catch (IOException e) {
            throw new IllegalStateException("sleep cannot be started", e);
        }
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    private HostProcess owner() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new HostProcess(process.pid(), Long.parseLong(fields[START_FIELD]), self.pidNamespace(), self.bootId());
    }

    @Test
    void shouldEndAProcessAndSeeItsEnd() throws IOException {
        ShmWriter writer = ShmWriter.of(owner());
        assertThat(writer.hasEnded()).isFalse();

        writer.end();

        long untilNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!writer.hasEnded()) {
            assertThat(System.nanoTime()).as("still there").isLessThan(untilNs);
            Thread.onSpinWait();
        }
        writer.end();
    }

    @Test
    void shouldEndNoOtherProcessOfTheSamePid() throws IOException {
        HostProcess now = owner();
        ShmWriter before =
                new ShmWriter(new HostProcess(now.pid(), now.startTicks() - 1, now.pidNamespace(), now.bootId()));

        assertThat(before.hasEnded()).isTrue();
        before.end();

        assertThat(ShmWriter.of(now).hasEnded()).isFalse();
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void shouldNotTakeAProcessForGoneForWantOfAFileDescriptor() throws IOException, InterruptedException {
        HostProcess now = owner();
        String said = OtherProcess.saidWithFewDescriptors(
                WithoutDescriptors.class, Long.toString(now.pid()), Long.toString(now.startTicks()));
        assertThat(said).isEqualTo("ended false, may be alive true");
    }

    @Test
    void shouldLetNoProcessWriteThatCannotBeSeen() throws IOException {
        HostProcess now = owner();

        assertThat(ShmWriter.of(new HostProcess(now.pid(), now.startTicks() - 1, now.pidNamespace(), now.bootId())))
                .as("its pid is somebody else's in the /proc that we see")
                .isNull();
        assertThat(ShmWriter.of(self)).isNull();
        assertThat(ShmWriter.of(new HostProcess(now.pid(), 0, now.pidNamespace(), now.bootId())))
                .isNull();
        assertThat(ShmWriter.of(new HostProcess(now.pid(), now.startTicks(), now.pidNamespace() + 1, now.bootId())))
                .isNull();
        assertThat(ShmWriter.of(new HostProcess(now.pid(), now.startTicks(), now.pidNamespace(), "another")))
                .isNull();
    }
}
