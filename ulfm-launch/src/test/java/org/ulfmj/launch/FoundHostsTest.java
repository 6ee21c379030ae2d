package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.hosts.HostFile;
import org.ulfmj.launch.hosts.HostSlots;
import org.ulfmj.launch.output.Report;

/**
 * Tests which discovered hosts are used by a launcher that has only the loopback interface, so that no other host can
 * reach it.
 */
class FoundHostsTest {
    private final List<String> said = new ArrayList<>();
    private final FoundHosts hosts =
            new FoundHosts(null, new Report(bytes -> said.add(new String(bytes, StandardCharsets.UTF_8)), false));

    @Test
    void shouldKnowItsOwnHostByOneName() {
        assertThat(hosts.found(parse("localhost:2", "127.0.0.1", "::1"))).isEqualTo(Map.of(FoundHosts.HERE, 4));
        assertThat(hosts.usable()).containsExactly(FoundHosts.HERE);
        assertThat(hosts.possible()).containsExactly(FoundHosts.HERE);
        assertThat(hosts.indexOf(FoundHosts.HERE)).isZero();
        assertThat(said).isEmpty();
    }

    @Test
    void shouldTellOnceThatNoOtherHostCanBeUsed() {
        for (int run = 0; run < 2; run++) {
            assertThat(hosts.found(parse("a:2", "localhost:1", "b:2"))).isEqualTo(Map.of(FoundHosts.HERE, 1));
        }
        assertThat(hosts.found(parse("a:2"))).isEmpty();
        assertThat(said)
                .containsExactly("mpiexec: --host-discovery: no network interface but loopback is up, so slots of a and"
                        + " of other hosts are not used (told once)\n");
    }

    private static List<HostSlots> parse(String... lines) {
        return HostFile.parse("test", List.of(lines));
    }
}
