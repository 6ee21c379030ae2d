package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the network namespaces behave as the tests with several hosts suppose. */
@Timeout(120)
class NamespacesIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** How long to wait for an answer that must come. */
    private static final int PATIENCE_MS = 20_000;
    /** How long to wait for an answer that must not come. */
    private static final int MOMENT_MS = 500;

    private int texts;

    @BeforeEach
    void requireNamespaces() {
        String obstacle = Namespaces.obstacle();
        assumeTrue(obstacle == null, obstacle);
    }

    @Test
    void shouldCarryWhatHostsSendUntilALinkIsDownOrAPathIsCut() throws IOException {
        List<String> names;
        try (Namespaces hosts = new Namespaces(3);
                RunningCommand echo = start(hosts, 1)) {
            names = List.of(hosts.name(0), hosts.name(1), hosts.name(2));
            echo.await("ready", LIMIT);
            assertThat(RunningCommand.output("ip", "netns", "list")).contains(names);
            for (boolean isIpv6 : new boolean[] {false, true}) {
                assertThat(isAnswered(hosts, 0, isIpv6, PATIENCE_MS)).isTrue();
            }

            hosts.cut(1, 0);
            assertThat(isAnswered(hosts, 0, true, MOMENT_MS)).isFalse();
            // The way from host 0 to host 1 is open: only the answer was lost.
            echo.await(lastText(), LIMIT);
            assertThat(isAnswered(hosts, 2, true, PATIENCE_MS)).isTrue();
            hosts.cut(0, 1);
            assertThat(isAnswered(hosts, 0, false, MOMENT_MS)).isFalse();
            assertThat(echo.text()).doesNotContain(lastText());
            hosts.mend(0, 1);
            hosts.mend(1, 0);
            assertThat(isAnswered(hosts, 0, false, PATIENCE_MS)).isTrue();

            hosts.linkDown(1);
            assertThat(isAnswered(hosts, 0, true, MOMENT_MS)).isFalse();
            hosts.linkUp(1);
            assertThat(isAnswered(hosts, 0, true, PATIENCE_MS)).isTrue();
            assertThat(hosts.pids(1)).contains(echo.pid());
        }
        assertThat(RunningCommand.output("ip", "netns", "list")).doesNotContain(names);
    }

    private boolean isAnswered(Namespaces hosts, int from, boolean isIpv6, int patienceMs) throws IOException {
        texts++;
        try (RunningCommand asked =
                start(hosts, from, hosts.address(1, isIpv6), lastText(), Integer.toString(patienceMs))) {
            return asked.exitCode(LIMIT) == 0;
        }
    }

    private String lastText() {
        return "text-" + texts + ";";
    }

    private static RunningCommand start(Namespaces hosts, int host, String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = RunningCommand.joined(
                hosts.on(host), java, "-XX:TieredStopAtLevel=1", "-cp", classes(), Echo.class.getName());
        return RunningCommand.start(Map.of(), RunningCommand.joined(command, arguments));
    }

    private static String classes() {
        return Path.of("target", "test-classes").toAbsolutePath().toString();
    }
}
