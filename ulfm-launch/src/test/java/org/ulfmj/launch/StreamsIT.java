package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.launch.Launched.Ended;

class StreamsIT {
    private static final String SAYS = "echo out $ULFM_RANK; echo err $ULFM_RANK >&2";

    @Test
    void shouldGiveStdinToRank0AndNothingToTheOthers() throws InterruptedException {
        String script = "while read -r line; do echo $ULFM_RANK read $line; done; echo $ULFM_RANK done >&2";
        Ended job =
                Launched.start("-n", "2", "sh", "-c", script).read("one\ntwo\n").ended();
        assertThat(job.exitCode()).isZero();
        assertThat(job.out()).isEqualTo("0 read one\n0 read two\n");
        assertThat(job.err().lines()).containsExactlyInAnyOrder("0 done", "1 done");
    }

    @Test
    void shouldForwardWholeLinesWithTheirRank() throws InterruptedException {
        String script = "i=0; while [ $i -lt 300 ]; do echo line $i of $ULFM_RANK; i=$((i+1)); done; echo last >&2";
        Ended job = Launched.run("-n", "4", "--tag-output", "sh", "-c", script);
        assertThat(job.exitCode()).isZero();
        assertThat(job.out().lines())
                .hasSize(1_200)
                .allMatch(line -> line.matches("\\[(\\d)]<stdout>: line \\d+ of \\1"));
        assertThat(job.err().lines()).hasSize(4).allMatch(line -> line.matches("\\[\\d]<stderr>: last"));
    }

    @Test
    void shouldForwardALastLineWithoutItsEnd() throws InterruptedException {
        Ended job = Launched.run("-n", "1", "printf", "no end");
        assertThat(job.exitCode()).isZero();
        assertThat(job.out()).isEqualTo("no end");
    }

    @Test
    void shouldWriteTheOutputOfEachRankToFilesOfItsOwn(@TempDir Path directory) throws Exception {
        Path files = directory.resolve("made/here");
        Ended job = Launched.run("-n", "11", "--output-filename", files.toString(), "sh", "-c", SAYS);
        assertThat(job).isEqualTo(new Ended(0, "", ""));
        assertThat(Files.readString(files.resolve("rank.03/stdout"))).isEqualTo("out 3\n");
        assertThat(Files.readString(files.resolve("rank.10/stderr"))).isEqualTo("err 10\n");
    }

    @Test
    void shouldWriteToFilesAndTheTerminalWhereTold(@TempDir Path directory) throws Exception {
        String output = "tag,merge-stderr-to-stdout,file=" + directory.resolve("job");
        Ended job = Launched.run("-n", "1", "--output", output, "--tee", "sh", "-c", SAYS);
        String both = "[0]<stdout>: out 0\n[0]<stdout>: err 0\n";
        assertThat(job).isEqualTo(new Ended(0, both, ""));
        assertThat(Files.readString(directory.resolve("job.0.out"))).isEqualTo(both);
        assertThat(directory.resolve("job.0.err")).doesNotExist();
    }

    @Test
    void shouldNameFilesByAPatternThatRanksMayShare(@TempDir Path directory) throws Exception {
        String[] patterns = {
            directory.resolve("o-%r").toString(), directory.resolve("e").toString()
        };
        Ended job = Launched.run(
                "-n", "2", "-outfile-pattern", patterns[0], "-errfile-pattern", patterns[1], "sh", "-c", SAYS);
        assertThat(job).isEqualTo(new Ended(0, "", ""));
        assertThat(Files.readString(directory.resolve("o-1"))).isEqualTo("out 1\n");
        assertThat(Files.readAllLines(directory.resolve("e"))).containsExactlyInAnyOrder("err 0", "err 1");
    }

    @Test
    void shouldGiveAReplacementAFileOfItsOwn(@TempDir Path directory) throws Exception {
        String script = "echo life $ULFM_INCARNATION; [ $ULFM_INCARNATION = 1 ] || exit 3";
        Ended job = Launched.run(
                "-n", "1", "--max-restarts", "1", "--output-filename", directory + ":nocopy", "sh", "-c", script);
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(Files.readString(directory.resolve("rank.0/stdout"))).isEqualTo("life 0\n");
        assertThat(Files.readString(directory.resolve("rank.0.1/stdout"))).isEqualTo("life 1\n");
    }

    @Test
    void shouldSayWhichFileItCannotWriteBeforeAnythingRuns(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        Ended job = Launched.run("-n", "1", "--output-filename", file.toString(), "sh", "-c", "touch " + file + ".ran");
        assertThat(job.exitCode()).isEqualTo(125);
        assertThat(job.err())
                .isEqualTo(
                        "mpiexec: cannot write to " + file + "/rank.0/stdout: " + file + "/rank.0: Not a directory\n");
        assertThat(directory.resolve("file.ran")).doesNotExist();
        Path taken = Files.createDirectories(directory.resolve("rank.0/stdout"));
        assertThat(Launched.run("-n", "1", "--output-filename", directory.toString(), "true")
                        .err())
                .isEqualTo("mpiexec: cannot write to " + taken + ": Is a directory\n");
    }

    @Test
    void shouldEndTheJobWhenAFileIsFull() throws Exception {
        Ended job = Launched.run("-n", "1", "-outfile-pattern", "/dev/full", "sh", "-c", "echo x; sleep 60");
        assertThat(job.exitCode()).isEqualTo(125);
        assertThat(job.err()).contains("cannot write to a file of the output (/dev/full): No space left on device");
    }

    @Test
    void shouldBeginLinesWithTheTime() throws InterruptedException {
        Ended job = Launched.run("-n", "1", "--timestamp-output", "sh", "-c", SAYS);
        String time = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d)";
        assertThat(job.out()).matches(time + ": out 0\n");
        assertThat(Launched.run("-n", "1", "--timestamp-output", "-l", "sh", "-c", SAYS)
                        .err())
                .matches(time + " \\[0]<stderr>: err 0\n");
    }

    @ParameterizedTest
    @CsvSource({"all,two 0|two 1", "1,none 0|two 1", "none,none 0|none 1"})
    void shouldGiveStdinToThoseWhoAreToReadIt(String readers, String said) throws InterruptedException {
        String script = "read -r one && read -r two && echo $two $ULFM_RANK || echo none $ULFM_RANK";
        Ended job = Launched.start("-n", "2", "--stdin", readers, "sh", "-c", script)
                .read("one\ntwo\n")
                .ended();
        assertThat(job.exitCode()).isZero();
        assertThat(job.out().lines()).containsExactlyInAnyOrder(said.split("\\|"));
    }

    @Test
    void shouldGiveStdinToTheOthersWhenOneDoesNotRead() throws InterruptedException {
        String script = "[ $ULFM_RANK = 0 ] && exit; wc -c";
        Ended job = Launched.start("-n", "2", "--stdin", "all", "sh", "-c", script)
                .read("x".repeat(300_000))
                .ended();
        assertThat(job.out().trim()).isEqualTo("300000");
    }

    @Test
    void shouldTellEachProcessItsPlace(@TempDir Path directory) throws InterruptedException {
        String script = "echo $ULFM_RANK/$ULFM_SIZE $OMPI_COMM_WORLD_LOCAL_RANK/$MPI_LOCALNRANKS $PMI_RANK"
                + " $ULFM_INCARNATION $GIVEN $PWD; test -r $ULFM_CONF && test $(stat -c %a $ULFM_TOKEN_FILE) = 600"
                + " && test $(stat -c %a $(dirname $ULFM_CONF)) = 700 || echo wrong modes";
        Ended job = Launched.run("-n", "2", "-x", "GIVEN=yes", "--wdir", directory.toString(), "sh", "-c", script);
        assertThat(job.exitCode()).isZero();
        assertThat(job.out().lines())
                .containsExactlyInAnyOrder("0/2 0/2 0 0 yes " + directory, "1/2 1/2 1 0 yes " + directory);
    }
}
