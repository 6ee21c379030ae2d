package org.ulfmj.benchmarks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WholeJobTest {
    @Test
    void shouldGiveTheProgramItsWorkItsSecondsAndAPlaceForEachRank() throws Exception {
        assertThat(WholeJob.run(job("echo \"$1 $2 $(stat -c %s \"$3\")\""), 4, "mix", 3))
                .isEqualTo("mix 3 32\n");
    }

    @Test
    void shouldSayWhatAJobPrintedThatFailed() {
        assertThatThrownBy(() -> WholeJob.run(job("echo no room >&2; exit 3"), 2, "pp", 1))
                .hasMessageContaining(" has ended with status 3: no room");
    }

    private static JobSpec job(String script) {
        return new JobSpec("pretender", List.of("sh", "-c", script, "pretender"), Map.of(), false);
    }
}
