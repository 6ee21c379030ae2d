package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.Launched.Ended;

/** Jobs of several programs. */
class ProgramBlocksIT {
    private static final String JAVA = " java -cp target/test-classes " + Greeting.class.getName();

    @Test
    void shouldMakeOneWorldOfTwoProgramsAndAScript() throws InterruptedException {
        String script = "exec " + System.getProperty("java.home") + "/bin/java -cp $CLASSPATH:target/test-classes "
                + Greeting.class.getName() + " c";
        Ended job = Launched.run(
                Launched.words("-n 1 --tag-output" + JAVA + " a : -n 2" + JAVA + " b : -np 1 sh -c", script));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines())
                .containsExactlyInAnyOrder(
                        "[0]<stdout>: a 0/4", "[1]<stdout>: b 1/4", "[2]<stdout>: b 2/4", "[3]<stdout>: c 3/4");
    }

    @Test
    void shouldReadTheProgramsInAFileAndGiveEachItsOwnSurroundings(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("programs");
        Files.writeString(
                file,
                "# two programs\n-n 1 -x A=1 sh -c 'echo one $ULFM_RANK $A $B $PWD'\n\n"
                        + "-n 1 --wdir / --unset-env B \\\n  sh -c \"echo two $ULFM_RANK $A $B \\$PWD\"\n");
        Ended job =
                Launched.run("-x", "A=0", "-genv", "B", "2", "--wdir", directory.toString(), "--app", file.toString());
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines()).containsExactlyInAnyOrder("one 0 1 2 " + directory, "two 1 0 2 /");
    }

    @Test
    void shouldStartTheRightProgramAgain() throws InterruptedException {
        Ended job = Launched.run(Launched.words(
                "-n 1 --max-restarts 1 true : -n 1 sh -c",
                "echo life $ULFM_INCARNATION;" + " [ $ULFM_INCARNATION = 1 ]"));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines()).containsExactlyInAnyOrder("life 0", "life 1");
    }

    @Test
    void shouldGiveTheVariablesThatAreAskedForAndNoOthers() throws Exception {
        String script = "echo ${HOME-none} ${A-none} $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE $ULFM_FT";
        assertThat(Launched.run("-n", "1", "-envlist", "PATH", "-x", "A=1", "--env-compat", "torch", "sh", "-c", script)
                        .out())
                .isEqualTo("none 1 0/1 0/1 ulfm\n");
        Ended plain = Launched.run("-n", "1", "--unset-env", "HOME", "--with-ft", "none", "sh", "-c", script);
        assertThat(plain.out()).isEqualTo("none none / / none\n");
    }
}
