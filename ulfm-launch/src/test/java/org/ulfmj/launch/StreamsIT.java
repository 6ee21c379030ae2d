package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.Launched.Ended;

class StreamsIT {
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
