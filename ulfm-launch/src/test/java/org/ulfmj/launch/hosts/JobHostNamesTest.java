package org.ulfmj.launch.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobHostNamesTest {
    private static JobHostNames names(JobHosts.JobHost... hosts) {
        return new JobHostNames(new JobHosts(List.of(hosts), List.of(0, 0, 1), null));
    }

    @Test
    void shouldKnowHostsByNameByIndexAndAsTheLaunchers() {
        JobHostNames names = names(new JobHosts.JobHost("a", 2, true), new JobHosts.JobHost("b", 1, false));
        assertThat(names.wordOf("b")).isEqualTo("1");
        assertThat(names.wordOf("1")).isEqualTo("1");
        assertThat(names.wordOf("mpiexec")).isEqualTo("0");
        assertThat(names.wordOf("c")).isNull();
        assertThat(names.ranksOn("0")).containsExactly(0, 1);
    }

    @Test
    void shouldKnowTheLaunchersHostWhereNoProcessIsStartedThere() {
        JobHostNames names = names(new JobHosts.JobHost("a", 2, false), new JobHosts.JobHost("b", 1, false));
        assertThat(names.wordOf("mpiexec")).isEqualTo("mpiexec");
        assertThat(names.all()).containsExactly("0", "1", "mpiexec");
        assertThat(names.hasAgent("mpiexec")).isFalse();
    }

    /**
     * A number in a fault plan is an index if there is a host with this index, even where another host has this number
     * for a name: a written plan has indices, and must be read with the same meaning.
     */
    @Test
    void shouldTakeANumberForAnIndexThoughAHostIsCalledSo() {
        JobHostNames names = names(new JobHosts.JobHost("1", 2, false), new JobHosts.JobHost("2", 1, false));
        assertThat(names.wordOf("0")).isEqualTo("0");
        assertThat(names.wordOf("1")).isEqualTo("1");
        assertThat(names.wordOf("2")).as("no index, so the name").isEqualTo("1");
    }
}
