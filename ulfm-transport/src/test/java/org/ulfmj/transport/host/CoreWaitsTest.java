package org.ulfmj.transport.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;

class CoreWaitsTest {
    private static final long PID = 4711;
    private static final ProcessId RANK = ProcessId.of(3);

    @TempDir
    Path proc;

    private void thread(String tid, long waitedNs) throws IOException {
        Path directory = Files.createDirectories(proc.resolve(PID + "/task/" + tid));
        Files.writeString(directory.resolve("schedstat"), "500 " + waitedNs + " 7\n");
    }

    @Test
    void shouldTellTheLongestWaitOfAThreadSinceItWasAskedLast() throws IOException {
        CoreWaits waits = new CoreWaits(proc);
        thread("1", 1_000);
        thread("2", 5_000);
        assertThat(waits.sinceLast(RANK, PID)).as("the first time").isZero();
        thread("1", 4_000);
        thread("2", 5_500);
        thread("3", 200);
        assertThat(waits.sinceLast(RANK, PID)).isEqualTo(3_000);
        assertThat(waits.sinceLast(RANK, PID)).isZero();
        assertThat(waits.sinceLast(new ProcessId(3, 1), PID))
                .as("another process")
                .isZero();
    }

    @Test
    void shouldTellNothingWhereTheSystemDoesNot() throws IOException {
        CoreWaits waits = new CoreWaits(proc);
        assertThat(waits.sinceLast(RANK, PID)).isZero();
        thread("1", 9_000);
        assertThat(waits.sinceLast(RANK, PID))
                .as("nothing could be read before")
                .isZero();
        Files.writeString(proc.resolve(PID + "/task/1/schedstat"), "no numbers");
        assertThat(waits.sinceLast(RANK, PID)).isZero();
    }

    @Test
    void shouldReadWhatTheSystemTells() {
        CoreWaits waits = new CoreWaits(Path.of(ProcessStat.PROC));
        long pid = ProcessHandle.current().pid();
        assertThat(waits.sinceLast(RANK, pid)).isZero();
        assertThat(waits.sinceLast(RANK, pid)).isNotNegative();
    }
}
