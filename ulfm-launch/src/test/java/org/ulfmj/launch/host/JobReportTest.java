package org.ulfmj.launch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;

class JobReportTest {
    private static final JobReport REPORT = new JobReport(
            "4711",
            "127.0.0.1:99",
            -2,
            2,
            4,
            Path.of("/tmp/ulfm-4711"),
            HostProcess.self(),
            JobSecret.of(new byte[JobSecret.LENGTH_BYTES]));

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("job");
    }

    @Test
    void shouldReadBackWhatItWroteForItsOwnerAlone() throws IOException {
        Files.writeString(file, "of an older job");
        REPORT.write(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var files = Files.list(directory)) {
            assertThat(files).as("nothing unfinished is left").containsExactly(file);
        }
        JobReport read = JobReport.read(file);
        assertThat(read.secret().bytes()).isEqualTo(REPORT.secret().bytes());
        assertThat(read.launcher()).isEqualTo(REPORT.launcher());
        assertThat(read.hostKey()).isEqualTo(-2);
        assertThat(read.directory()).isEqualTo(REPORT.directory());
        assertThat(read.address() + read.runId() + read.min() + read.max()).isEqualTo("127.0.0.1:99471124");
    }

    @Test
    void shouldSayInEtcdAllButTheSecret() {
        assertThat(REPORT.place()).doesNotContain("secret");
        JobReport found = JobReport.ofPlace(REPORT.place(), null);
        assertThat(found.secret()).isNull();
        assertThat(found.at(null, REPORT.secret())).isEqualTo(REPORT);
        assertThat(found.at("127.0.0.1:98", REPORT.secret()).address()).isEqualTo("127.0.0.1:98");
        assertThatThrownBy(() -> JobReport.ofPlace("run=1", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no 'members' in it");
    }

    @Test
    void shouldRemoveItsOwnFileOnly() throws IOException {
        REPORT.write(file);
        ofRun("4712").remove(file);
        assertThat(file).exists();
        REPORT.remove(file);
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldNotReplaceTheFileOfAJobThatRuns() throws IOException {
        REPORT.write(file);
        assertThatThrownBy(() -> ofRun("4712").write(file))
                .isInstanceOf(IOException.class)
                .hasMessage("it is the file of job 4711, whose mpiexec, pid "
                        + HostProcess.self().pid() + ", runs");
        assertThat(JobReport.read(file).runId()).isEqualTo("4711");
    }

    @Test
    void shouldNotReplaceADirectory() throws IOException {
        Files.createDirectory(file);
        assertThatThrownBy(() -> REPORT.write(file))
                .isInstanceOf(IOException.class)
                .hasMessage("it is no file but a link, a directory or a device");
        REPORT.remove(file);
        assertThat(file).isDirectory();
    }

    private static JobReport ofRun(String runId) {
        return new JobReport(
                runId,
                REPORT.address(),
                REPORT.hostKey(),
                REPORT.min(),
                REPORT.max(),
                REPORT.directory(),
                REPORT.launcher(),
                REPORT.secret());
    }

    @Test
    void shouldSayThatThereIsNoFile() {
        assertRefused("there is no such file; mpiexec -n MIN:MAX --report-uri FILE writes it, and removes it when the"
                + " job is over");
    }

    @Test
    void shouldRefuseAFileThatOthersCanRead() throws IOException {
        REPORT.write(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertRefused("others than its owner may read it, and the secret of the job is in it; its mode must be"
                + " rw-------");
    }

    @Test
    void shouldRefuseALink() throws IOException {
        Path other = directory.resolve("other");
        REPORT.write(other);
        Files.createSymbolicLink(file, other);
        assertRefused("it is no file but a link, a directory or a device");
    }

    @Test
    void shouldRefuseAFileOfAnotherKind() throws IOException {
        REPORT.write(file);
        String text = Files.readString(file);
        for (String line : text.split("\n")) {
            Files.writeString(file, text.replace(line + "\n", ""));
            assertThatThrownBy(() -> JobReport.read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessage("it was not written by mpiexec --report-uri (no '"
                            + line.substring(0, line.indexOf('=')) + "' in it)");
        }
        Files.writeString(file, text.replace("members=2:4", "members=2"));
        assertRefused("it was not written by mpiexec --report-uri ('members' has not 2 parts)");
        Files.writeString(file, text.replaceAll("secret=.*", "secret=12"));
        assertThatThrownBy(() -> JobReport.read(file)).hasMessageContaining("a job secret has 32 bytes");
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> JobReport.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(why);
    }
}
