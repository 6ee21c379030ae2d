package org.ulfmj.launch.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.program.Installation;

/** Tests the doctor's checks of hosts: all are this host, under other names. */
class HostChecksTest {
    private static final String ADDRESS = "ulfm.net.interface=127.0.0.1";
    private static final String SEEN =
            "calls itself \\S+, Java \\S+, jar \\S+, at 127\\.0\\.0\\.1, clock (the same|-?\\d+ ms ahead)";
    private static final String PAIR =
            "127\\.0\\.0\\.1, \\d+ us there and back; back: 127\\.0\\.0\\.1, \\d+ us there and back";

    @Test
    void shouldLookAtEachHostAndEachPair() {
        Map<String, String> found =
                look("--host", "localhost,a,b", "--launcher-exec", "env H={host}", "--set", ADDRESS);
        assertThat(found.keySet())
                .containsExactlyInAnyOrder(
                        "host localhost", "host a", "host b", "localhost, a", "localhost, b", "a, b");
        assertThat(found.get("host a")).matches(SEEN);
        assertThat(found.get("host localhost")).matches(SEEN);
        assertThat(found.get("a, b")).matches(PAIR);
    }

    @Test
    void shouldSayWhichHostIsNotReachedAndGoOnWithTheOthers() {
        String script = "/bin/sh -c 'test {host} = b && { echo no way >&2; exit 3; }; exec \"$@\"' sh";
        Map<String, String> found = look("--host", "a,b,c", "--launcher-exec", script, "--set", ADDRESS);
        assertThat(found.keySet()).containsExactlyInAnyOrder("host a", "host b", "host c", "a, c");
        assertThat(found.get("host b"))
                .isEqualTo("not reached (the command ended with code 3: no way) -> mend what was said, or reach it"
                        + " otherwise: --launcher, --launcher-exec, --ssh-args");
    }

    @Test
    void shouldSayWhereNoInterfaceFitsAndWhereNoCommandIs() {
        assertThat(look("--host", "a", "--launcher-exec", "env H={host}", "--set", "ulfm.net.interface=nothing0")
                        .get("host a"))
                .startsWith("ulfm.net.interface: no interface that is up fits 'nothing0'; there are: ")
                .contains(" -> name an interface that all hosts have");
        assertThat(look("--host", "a", "--launcher-exec", "/no/such {host}").get("host a"))
                .startsWith("not reached (Cannot run program \"/no/such\"");
        assertThat(look("--host", "localhost:3")).containsExactly(Map.entry("hosts", "this one alone"));
    }

    private static Map<String, String> look(String... words) {
        return HostChecks.all(Installation.running(), Map.of("PATH", "/bin"), List.of(words)).stream()
                .collect(Collectors.toMap(
                        Finding::what, each -> each.found() + (each.advice() == null ? "" : " -> " + each.advice())));
    }
}
