package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.io.TempDir;

/** Tests whether the recorded traffic between the hosts of a job contains the data that ranks send each other. */
class RecordedIT extends OnThreeHosts {
    /**
     * Records whole packets at all ports of the bridge, and writes each at once. The kernel's buffer of 64 MiB is
     * larger than all that is sent, so no packet is lost when the recorder has to wait for a core.
     */
    private static final String RECORDER = "tcpdump -i any -s 0 -B 65536 -U -w";

    @BeforeEach
    void requireRecorder() {
        try {
            RunningCommand.output("tcpdump", "--version");
        } catch (IOException e) {
            assumeTrue(false, "the recorder is tcpdump: " + e.getMessage());
        }
    }

    @TestTemplate
    void shouldFindNoPayload(@TempDir Path files) throws IOException {
        assertThat(recorded("auto", files)).doesNotContain("what no host", "between the two", "may read");
    }

    /** With protection off, the recorder sees what ranks send: its silence in the other test is no mistake. */
    @TestTemplate
    void shouldFindPayloadsWhereProtectionIsOff(@TempDir Path files) throws IOException {
        assertThat(recorded("none", files)).contains(Confidential.TEXT);
    }

    private String recorded(String protection, Path files) throws IOException {
        Path record = files.resolve("record");
        try (RunningCommand recorder = RunningCommand.start(
                Map.of(), RunningCommand.joined(hosts.onBridge(), (RECORDER + " " + record).split(" ")))) {
            recorder.await("listening on", LIMIT);
            String program = "--set ulfm.net.protect=" + protection + " java -cp target/test-classes "
                    + Confidential.class.getName();
            try (RunningCommand job = start(false, program.split(" "))) {
                assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            }
            signal("INT", recorder.pid());
            assertThat(recorder.exitCode(LIMIT)).as(recorder.text()).isZero();
        }
        String recorded = Files.readString(record, StandardCharsets.ISO_8859_1);
        assertThat(recorded).hasSizeGreaterThan(4 * Confidential.TEXT.length() * Confidential.LONG_TIMES);
        return recorded;
    }
}
