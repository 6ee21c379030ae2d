package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests jobs whose output is not read, or cannot be written, or goes with both streams to one pipe, and a job of which
 * a child holds the streams.
 */
class OutputIT {
    private static final long MOST_SECONDS = 60;
    private static final String FILLS_STDERR =
            "i=0; while [ $i -lt 20000 ]; do echo noise $i >&2; i=$((i+1)); done; sleep 600";

    private Process process;

    @AfterEach
    void end() {
        if (process != null) {
            // Where a shell was started, mpiexec is one of its descendants.
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    @Tag("long")
    void shouldKeepItsTimeWhileStderrIsNotRead() throws Exception {
        start(List.of("-n", "1", "--timeout", "1", "--set", "ulfm.grace=100ms", "sh", "-c", FILLS_STDERR), "");
        assertThat(exitCode()).isEqualTo(124);
    }

    @Test
    void shouldObeyASignalWhileStderrIsNotRead() throws Exception {
        start(List.of("-n", "1", "--set", "ulfm.grace=100ms", "sh", "-c", "echo begun; " + FILLS_STDERR), "");
        assertThat(process.getInputStream().read()).isEqualTo('b');
        Launched.send("TERM", process.pid());
        assertThat(exitCode()).isEqualTo(143);
    }

    /**
     * Stdout is read only after all processes but the launcher have ended, and the launcher has waited for longer than
     * it waits for output of a rank's children.
     */
    @Test
    @Tag("long")
    void shouldLoseNothingOfAJobThatEndedByItselfWhenItsOutputIsReadSlowly() throws Exception {
        start(List.of("-n", "1", "sh", "-c", "seq 1 20000; echo done >&2"), "");
        InputStream err = process.getErrorStream();
        assertThat(err.read()).isEqualTo('d');
        assertThat(process.waitFor(3, TimeUnit.SECONDS)).isFalse();
        String out = new String(process.getInputStream().readAllBytes());
        assertThat(out.lines().count()).isEqualTo(20_000);
        assertThat(exitCode()).isZero();
    }

    @Test
    @Tag("long")
    void shouldObeyASignalWhileOutputOfAJobThatHasEndedIsNotRead() throws Exception {
        start(List.of("-n", "1", "sh", "-c", "seq 1 20000; echo done >&2"), "");
        assertThat(process.getErrorStream().read()).isEqualTo('d');
        assertThat(process.waitFor(1, TimeUnit.SECONDS)).isFalse();
        Launched.send("TERM", process.pid());
        assertThat(exitCode()).isEqualTo(143);
    }

    /**
     * Shows that a job that has failed and whose last output is not read goes on for a second at least, and that a
     * signal then ends it.
     */
    @Test
    @Tag("long")
    void shouldObeyOneSignalWhileOutputOfAJobThatFailedIsNotRead() throws Exception {
        String script = "[ $ULFM_RANK = 0 ] || exec sleep 600; seq 1 20000; echo done >&2; exit 3";
        start(List.of("-n", "2", "--with-ft", "none", "sh", "-c", script), "");
        InputStream err = process.getErrorStream();
        String said = "";
        while (!said.contains("ending the job")) {
            said += (char) err.read();
        }
        assertThat(process.waitFor(1, TimeUnit.SECONDS)).isFalse();
        Launched.send("TERM", process.pid());
        assertThat(exitCode()).isEqualTo(3);
    }

    @Test
    void shouldNotWaitForEverForAChildThatHoldsTheStreams() throws Exception {
        start(List.of("-n", "1", "sh", "-c", "echo rank; sleep 30 &"), "");
        assertThat(exitCode()).isZero();
        assertThat(process.getInputStream().read()).isEqualTo('r');
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "> /dev/full, 125, cannot write to stdout (/dev/full): ",
        "| true, 141, the output is not read any more; ending the job"
    })
    void shouldSayWhyItCannotWrite(String redirection, int code, String said) throws Exception {
        String rank = "while echo line; do sleep 0.01; done";
        start(List.of("-n", "1", "sh", "-c", "'" + rank + "'"), redirection);
        String err = new String(process.getErrorStream().readAllBytes());
        assertThat(err).contains(said);
        assertThat(exitCode()).isEqualTo(code);
    }

    @Test
    void shouldSayThatTheDiskIsFullAlsoIfThatIsTheLastThingThatHappens() throws Exception {
        start(List.of("-n", "1", "seq", "3"), "> /dev/full");
        String err = new String(process.getErrorStream().readAllBytes());
        assertThat(err).contains("cannot write to stdout (/dev/full): ");
        assertThat(exitCode()).isEqualTo(125);
    }

    @Test
    void shouldNotMixLinesOfStdoutAndStderrThatGoToOnePipe() throws Exception {
        String script = "'L=$(printf \"%090d\" $ULFM_RANK); awk -v L=$L \"BEGIN{for(i=0;i<9000;i++)print L}\";"
                + " awk -v L=E$L \"BEGIN{for(i=0;i<9000;i++)print L}\" >&2 & "
                + "awk -v L=$L \"BEGIN{for(i=0;i<9000;i++)print L}\"; wait'";
        start(List.of("-n", "2", "sh", "-c", script), "2>&1");
        String out = new String(process.getInputStream().readAllBytes());
        assertThat(out.lines()).hasSize(54_000).allMatch(line -> line.matches("E?0{89}[01]"));
        assertThat(exitCode()).isZero();
    }

    private int exitCode() throws InterruptedException {
        assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /**
     * Starts mpiexec.
     *
     * @param redirection of mpiexec's streams, for a shell that runs the command line; empty for none, and then no
     *     shell
     */
    private void start(List<String> arguments, String redirection) throws IOException {
        List<String> command = new ArrayList<>(Launched.MPIEXEC);
        command.addAll(arguments);
        if (!redirection.isEmpty()) {
            String exit = redirection.startsWith("|") ? "; exit ${PIPESTATUS[0]}" : "";
            command = List.of("/bin/bash", "-c", String.join(" ", command) + " " + redirection + exit);
        }
        process = new ProcessBuilder(command).start();
    }
}
