package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobControlTest {
    @TempDir
    Path proc;

    @Test
    void shouldKnowTheShellWhoseJobItIs() throws IOException {
        process(10, 9, 10, 10);
        process(20, 10, 20, 10);
        assertThat(JobControl.canBeContinued(proc, 20)).isTrue();
    }

    @Test
    void shouldKnowTheShellAlsoBehindTheScriptThatStartedIt() throws IOException {
        process(10, 9, 10, 10);
        process(20, 10, 20, 10);
        process(21, 20, 20, 10);
        assertThat(JobControl.canBeContinued(proc, 21)).isTrue();
        Files.delete(proc.resolve("10/stat"));
        process(10, 9, 10, 99);
        assertThat(JobControl.canBeContinued(proc, 21)).isFalse();
    }

    @Test
    void shouldKnowThatNothingContinuesTheLeaderOfASessionOrItsGroup() throws IOException {
        process(10, 9, 10, 10);
        process(20, 10, 20, 20);
        process(21, 20, 20, 20);
        assertThat(JobControl.canBeContinued(proc, 20)).isFalse();
        assertThat(JobControl.canBeContinued(proc, 21)).isFalse();
    }

    @Test
    void shouldKnowThatNothingContinuesAGroupWhoseShellHasEnded() throws IOException {
        process(1, 0, 1, 1);
        process(20, 1, 20, 10);
        assertThat(JobControl.canBeContinued(proc, 20)).isFalse();
    }

    @Test
    void shouldKnowThatNothingContinuesTheFirstProcessOfAContainer() throws IOException {
        process(1, 0, 0, 0);
        assertThat(JobControl.canBeContinued(proc, 1)).isFalse();
        process(7, 0, 7, 7);
        assertThat(JobControl.canBeContinued(proc, 7)).isFalse();
    }

    @Test
    void shouldTakeItForAJobOfAShellWhereTheSystemDoesNotTell() throws IOException {
        assertThat(JobControl.canBeContinued(proc, 20)).isTrue();
        process(20, 10, 20, 10);
        assertThat(JobControl.canBeContinued(proc, 20)).as("a hidden parent").isTrue();
        process(30, 0, 0, 0);
        assertThat(JobControl.canBeContinued(proc, 30)).as("a group outside").isTrue();
    }

    private void process(long pid, long parent, long group, long session) throws IOException {
        Path directory = Files.createDirectories(proc.resolve(Long.toString(pid)));
        String line = pid + " (a ) b) S " + parent + " " + group + " " + session + " 0 -1 4194304\n";
        Files.writeString(directory.resolve("stat"), line);
    }
}
