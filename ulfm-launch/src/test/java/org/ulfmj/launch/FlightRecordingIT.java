package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.Launched.Ended;

/**
 * Tests what a flight recording of real ranks contains, and that ranks without a recording load no class of
 * {@code jdk.jfr} or {@code org.ulfmj.runtime.flight}.
 */
@Tag("long")
class FlightRecordingIT {
    @TempDir
    Path directory;

    @Test
    void shouldRecordWhoWaitedForWhomAndWhatWasDoneAboutADeath() throws Exception {
        Ended job = run("-XX:StartFlightRecording:filename=" + directory);
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).contains("rank 0: 2 left", "rank 1: 2 left");
        List<RecordedEvent> events = new ArrayList<>();
        for (Path file : files()) {
            events.addAll(RecordingFile.readAllEvents(file));
        }
        assertThat(named("ulfm.Wait", events)).anySatisfy(event -> {
            assertThat(event.getString("operation")).isEqualTo("receive");
            assertThat(event.getString("communicator")).isEqualTo("COMM_WORLD");
            assertThat(event.getString("ranks")).isEqualTo("1");
            assertThat(event.getString("detail")).isEqualTo("tag 7");
            assertThat(event.getDuration()).isGreaterThan(Duration.ofMillis(50));
            assertThat(event.getStackTrace().getFrames())
                    .anyMatch(frame -> frame.getMethod().getType().getName().equals(Awaited.class.getName()));
        });
        assertThat(named("ulfm.Failure", events)).hasSize(2).allSatisfy(event -> assertThat(event.getString("process"))
                .isEqualTo("2"));
        assertThat(named("ulfm.Revoke", events))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getString("communicator")).isEqualTo("COMM_WORLD"));
        assertThat(named("ulfm.Agreement", events)).anySatisfy(event -> {
            assertThat(event.getString("call")).isEqualTo("shrink");
            assertThat(event.getInt("failed")).isEqualTo(1);
        });
    }

    @Test
    void shouldLoadNothingOfItWithoutARecording() throws Exception {
        Ended job = run("-Xlog:class+load:file=" + directory + "/%p.log");
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(files()).hasSize(3);
        for (Path file : files()) {
            assertThat(Files.readString(file))
                    .contains("org.ulfmj.runtime.side.FlightRecord")
                    .doesNotContain("jdk.jfr.", "org.ulfmj.runtime.flight.");
        }
    }

    private static List<RecordedEvent> named(String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            all.forEach(files::add);
        }
        return files;
    }

    private static Ended run(String option) throws InterruptedException {
        return Launched.run(Launched.program("-n 3 --inject kill:rank=2@op=barrier#2 java " + option, Awaited.class));
    }
}
