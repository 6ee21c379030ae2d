package org.ulfmj.launch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.process.Leftover;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.PendingSignals;

/**
 * Tests what the death watch reports of processes that stand still or are not reaped; it reads a fake {@code /proc} of
 * the test.
 */
class StandstillTest {
    private static final long PID = 4711;

    private static final long UNREAPED_NS = 300_000_000;

    private final NotedFindings findings = new NotedFindings();

    @TempDir
    private Path proc;

    private DeathWatch watch;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectory(proc.resolve(Long.toString(PID)));
        state('S');
        status("0000000000000000");
        watch = new DeathWatch(findings, proc, UNREAPED_NS, Long.MAX_VALUE);
        watch.start();
    }

    @AfterEach
    void close() {
        watch.close();
    }

    /**
     * Writes the state of the fake process. The file is overwritten in place, because it is kept open, and its length
     * stays the same, so that no look sees a part of it.
     */
    private void state(char letter) throws Exception {
        String line = PID + " (java) " + letter + " 1 1 1\n";
        try (RandomAccessFile file =
                new RandomAccessFile(proc.resolve(PID + "/stat").toFile(), "rw")) {
            file.write(line.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void status(String shared) throws Exception {
        Path next = proc.resolve("next");
        Files.writeString(next, "Name:\tjava\nSigPnd:\t0000000000000000\nShdPnd:\t" + shared + "\n");
        Files.move(next, proc.resolve(PID + "/status"), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void shouldTellOfStandstillsAndOfWhatEndsThem() throws Exception {
        RankProcess process = RankProcess.of(ProcessId.of(3), new Immortal());
        watch.watch(process, true);
        state('T');
        assertThat(next()).isEqualTo("T");
        assertThat(next()).as("at each look").isEqualTo("T");
        state('S');
        await("S");
        state('D');
        await("D");
        process.condemn();
        status("0000000000000100");
        await("D killed");
    }

    @Test
    void shouldTellThatAThreadOfADeadProcessWaitsForADisk() throws Exception {
        thread(PID + 1, 'D');
        RankProcess process = RankProcess.of(ProcessId.of(3), new Immortal());
        watch.watch(process, true);
        long beforeNs = System.nanoTime();
        state('Z');
        assertThat(findings.all.poll(60, TimeUnit.SECONDS)).startsWith("died 3, ");
        assertThat(findings.all.poll(60, TimeUnit.SECONDS)).isEqualTo("unreaped 3");
        assertThat(System.nanoTime() - beforeNs).isGreaterThanOrEqualTo(UNREAPED_NS);
    }

    @Test
    void shouldWaitForADeadProcessWhoseMemoryIsBeingFreed() throws Exception {
        thread(PID + 1, 'R');
        Leftover leftover = new Leftover();
        assertThat(leftover.lasts(proc, PID, 1, 10)).isFalse();
        assertThat(leftover.lasts(proc, PID, 60_000_000_000L, 10)).isFalse();
        thread(PID + 1, 'D');
        assertThat(leftover.lasts(proc, PID, 61_000_000_000L, 10_000_000_000L)).isFalse();
        assertThat(leftover.lasts(proc, PID, 70_999_999_999L, 10_000_000_000L)).isFalse();
        thread(PID + 1, 'R');
        assertThat(leftover.lasts(proc, PID, 72_000_000_000L, 10_000_000_000L)).isFalse();
        thread(PID + 1, 'D');
        assertThat(leftover.lasts(proc, PID, 73_000_000_000L, 10_000_000_000L)).isFalse();
        assertThat(leftover.lasts(proc, PID, 83_000_000_000L, 10_000_000_000L)).isTrue();
    }

    private void thread(long id, char letter) throws Exception {
        Path entry = Files.createDirectories(proc.resolve(PID + "/task/" + id));
        Files.writeString(entry.resolve("stat"), id + " (java) " + letter + " 1 1 1\n");
    }

    private void await(String wanted) throws InterruptedException {
        String line = next();
        while (!line.equals(wanted)) {
            line = next();
        }
    }

    private String next() throws InterruptedException {
        String line = findings.looks.poll(60, TimeUnit.SECONDS);
        assertThat(line).as("nothing more was told").isNotNull();
        return line;
    }

    @Test
    void shouldReadWhichSignalsWait() {
        assertThat(PendingSignals.hasKill("Name:\tx\nSigPnd:\t0000000000000100\nShdPnd:\t0000000000000000\n"))
                .isTrue();
        assertThat(PendingSignals.hasKill("Name:\tx\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000100\n"))
                .isTrue();
        assertThat(PendingSignals.hasKill("SigPnd:\t00000000000000ff\nShdPnd:\tfffffffffffffeff\nSigBlk:\t0100\n"))
                .isFalse();
        assertThat(PendingSignals.hasKill("SigPnd:\tnonsense\n")).isFalse();
        assertThat(PendingSignals.hasKill(
                        Path.of("/proc"), ProcessHandle.current().pid()))
                .isFalse();
        assertThat(PendingSignals.hasKill(Path.of("/proc"), Long.MAX_VALUE)).isFalse();
    }

    /** A process that no signal ends, like one that waits for a disk. */
    private static final class Immortal extends Process {
        @Override
        public long pid() {
            return PID;
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            throw new UnsupportedOperationException("it does not end");
        }

        @Override
        public int exitValue() {
            throw new IllegalThreadStateException("it has not ended");
        }

        @Override
        public void destroy() {}
    }
}
