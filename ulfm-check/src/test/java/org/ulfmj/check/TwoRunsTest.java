package org.ulfmj.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.Schedule;

/** A seed gives the same log hash in two JVMs, in three scenarios. */
class TwoRunsTest {
    @ParameterizedTest
    @ValueSource(strings = {"mix", "detector", "finalize"})
    void shouldGiveTheSameHashWhenRunInAnotherJvm(String scenario) {
        Schedule schedule = new Schedule(Scenarios.named(scenario).get(0), 7, 4711);
        String hash = String.format(
                Locale.ROOT, "%016x", schedule.run(EventLog.hashing()).logHash());
        assertThat(runInAnotherJvm("re-run", "--protocol", scenario, "--ranks", "7", "--seed", "4711"))
                .contains("log hash " + hash)
                .contains("no violation");
    }

    private static String runInAnotherJvm(String... arguments) {
        String[] command = new String[4 + arguments.length];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        command[1] = "-cp";
        command[2] = System.getProperty("java.class.path");
        command[3] = Main.class.getName();
        System.arraycopy(arguments, 0, command, 4, arguments.length);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
