package org.ulfmj.launch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuickStartTest {
    private static final Installation OURS =
            new Installation(Path.of("/ulfm.jar"), Path.of("/examples.jar"), Path.of("/jdk/bin/java"));

    @Test
    void shouldLeaveToTheUserWhatHeChooses() {
        assertThat(words(Map.of(), "-Xint")).noneMatch(word -> word.startsWith("-XX:Tier3"));
        assertThat(words(Map.of(), "-XX:TieredStopAtLevel=1")).noneMatch(word -> word.startsWith("-XX:Tier3"));
        assertThat(words(Map.of("JAVA_TOOL_OPTIONS", "-XX:-TieredCompilation")))
                .noneMatch(word -> word.startsWith("-XX:Tier3"));
        assertThat(words(Map.of(), "-Djava.nio.channels.spi.SelectorProvider=own"))
                .filteredOn(word -> word.startsWith("-Djava.nio.channels.spi.SelectorProvider="))
                .hasSize(1);
    }

    @Test
    void shouldHaveTheArchiveWhereItWasMadeForUnlessTheUserChooses() {
        assertThat(words(Map.of()))
                .containsSubsequence("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0", "Main");
        assertThat(words(Map.of(), "-XX:ArchiveRelocationMode=1"))
                .filteredOn(word -> word.startsWith("-XX:ArchiveRelocationMode"))
                .hasSize(1);
        assertThat(words(Map.of("JDK_JAVA_OPTIONS", "-Xshare:off")))
                .noneMatch(word -> word.startsWith("-XX:ArchiveRelocationMode"));
    }

    @Test
    void shouldKeepTheVirtualMachinesWarningOfItsCountersOutOfTheOutputUnlessTheUserLogsThem() {
        assertThat(words(Map.of())).containsSubsequence("-Xlog:perf+memops=error", "Main");
        assertThat(words(Map.of(), "-Xlog:perf*=debug")).doesNotContain("-Xlog:perf+memops=error");
    }

    @Test
    void shouldChangeNothingForAnotherVirtualMachine() {
        StartCommand other = new StartCommand(List.of("/other/bin/java", "Main"), Map.of(), true);
        assertThat(QuickStart.addTo(other, OURS, Map.of())).isEqualTo(other);
        StartCommand script = new StartCommand(List.of("/bin/sh", "-c", "true"), Map.of(), false);
        assertThat(QuickStart.addTo(script, OURS, Map.of())).isEqualTo(script);
    }

    @Test
    void shouldKeepTheCommandBehindItsOwnOptions() {
        assertThat(words(Map.of())).startsWith("/jdk/bin/java").endsWith("Main");
    }

    private static List<String> words(Map<String, String> environment, String... options) {
        List<String> words = new ArrayList<>(List.of("/jdk/bin/java"));
        words.addAll(List.of(options));
        words.add("Main");
        return QuickStart.addTo(new StartCommand(words, Map.of(), true), OURS, environment)
                .words();
    }
}
