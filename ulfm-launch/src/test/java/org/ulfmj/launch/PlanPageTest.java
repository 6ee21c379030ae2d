package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.command.CommandLine;
import org.ulfmj.launch.program.Installation;

class PlanPageTest {
    private static final String DIRECTORY = Path.of("").toAbsolutePath().toString();

    @Test
    void shouldShowTheHostsAndWhereEachRankIs() {
        assertThat(lines("--do-not-launch --bind-to none --host a:2,localhost:2 -n 3 -x A=1 /bin/true"))
                .containsExactly(
                        "host 0: a, 2 in 2 slots, agent by ssh -o BatchMode=yes a",
                        "host 1: localhost, 1 in 2 slots, this host",
                        "rank 0: a, in " + DIRECTORY + ": A=1 CLASSPATH=/ulfm.jar:. /bin/true",
                        "rank 1: a, in " + DIRECTORY + ": A=1 CLASSPATH=/ulfm.jar:. /bin/true",
                        "rank 2: localhost, any processor, in " + DIRECTORY + ": A=1 CLASSPATH=/ulfm.jar:. /bin/true");
        assertThat(lines("--do-not-launch --bind-to none --host a --launcher manual /bin/true")
                        .get(0))
                .isEqualTo("host 0: a, 1 in 1 slot, agent started by you");
        assertThat(lines("--do-not-launch --bind-to none --host localhost:2 /bin/true")
                        .get(0))
                .isEqualTo("rank 0: any processor, in " + DIRECTORY + ": CLASSPATH=/ulfm.jar:. /bin/true");
    }

    private static List<String> lines(String line) {
        Installation installation = new Installation(Path.of("/ulfm.jar"), Path.of("/none"), Path.of("/jdk/bin/java"));
        return PlanPage.lines(new CommandLine(installation, Map.of("PATH", "/bin")).parse(line.split(" ")));
    }
}
