package org.ulfmj.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that {@link InjectionBenchmark} runs: also without the hooks, whose lines it takes out of the sources. */
class InjectionBenchmarkTest {
    @ParameterizedTest
    @ValueSource(strings = {"absent", "off", "planned"})
    void shouldSendAndProbe(String hooks) {
        InjectionBenchmark benchmark = new InjectionBenchmark();
        benchmark.hooks = hooks;
        assertThatCode(benchmark::prepare).doesNotThrowAnyException();
        try {
            assertThatCode(benchmark::message).doesNotThrowAnyException();
            assertThatCode(benchmark::probe).doesNotThrowAnyException();
        } finally {
            benchmark.end();
        }
    }
}
