package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LostHostsTest {
    @Test
    void shouldListTheTitlesOfProcesses() {
        assertThat(LostHosts.listed(List.of("rank 2'1"))).isEqualTo("rank 2'1");
        assertThat(LostHosts.listed(List.of("rank 1", "rank 12"))).isEqualTo("ranks 1, 12");
        assertThat(LostHosts.listed(List.of("process 4", "process 5"))).isEqualTo("processes 4, 5");
        assertThat(LostHosts.listed(List.of("rank 1", "process 4"))).isEqualTo("rank 1, process 4");
    }
}
