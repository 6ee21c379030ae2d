package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobControlTest {
    @TempDir
    Path proc;

    /**
     * Shows whether a shell can continue a job after a stop. Each process in the third column is its pid, the pid of
     * its parent, its process group and its session.
     */
    @ParameterizedTest(name = "{0}: {1} of {2} -> {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "the job of a shell|20|10 9 10 10, 20 10 20 10|true",
                "behind the script that started it|21|10 9 10 10, 20 10 20 10, 21 20 20 10|true",
                "the shell is in another session|21|10 9 10 99, 20 10 20 10, 21 20 20 10|false",
                "the leader of a session|20|10 9 10 10, 20 10 20 20, 21 20 20 20|false",
                "the group of the leader of a session|21|10 9 10 10, 20 10 20 20, 21 20 20 20|false",
                "the shell has ended|20|1 0 1 1, 20 1 20 10|false",
                "the first process of a container|1|1 0 0 0|false",
                "a session in a container|7|1 0 0 0, 7 0 7 7|false",
                "the system does not tell|20|''|true",
                "a hidden parent|20|20 10 20 10|true",
                "a group outside|30|20 10 20 10, 30 0 0 0|true"
            })
    void shouldKnowWhetherAShellCanContinueIt(String where, long pid, String processes, boolean canBeContinued)
            throws IOException {
        for (String process : processes.isEmpty() ? new String[0] : processes.split(", ")) {
            int parent = process.indexOf(' ');
            Path directory = Files.createDirectories(proc.resolve(process.substring(0, parent)));
            String line = process.substring(0, parent) + " (a ) b) S" + process.substring(parent) + " 0 -1 4194304\n";
            Files.writeString(directory.resolve("stat"), line);
        }
        assertThat(JobControl.canBeContinued(proc, pid)).isEqualTo(canBeContinued);
    }
}
