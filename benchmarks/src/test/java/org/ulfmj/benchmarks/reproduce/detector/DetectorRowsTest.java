package org.ulfmj.benchmarks.reproduce.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.Setting;

/** Tests that all rows of the experiments about the detector are as expected, in the quick setting: small worlds. */
class DetectorRowsTest {
    static Stream<Experiment> experiments() {
        return Stream.of(new FailureDetection(), new LargestTimeout());
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void shouldFindWhatWasPublished(Experiment experiment) {
        Findings findings = new Findings();
        experiment.run(new Setting(13, true), findings);
        assertThat(findings.rows()).isNotEmpty();
        assertThat(findings.areAsExpected()).as("%s", findings.rows()).isTrue();
    }
}
