package org.ulfmj.launch.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuickStartTest {
    private static final Installation OURS =
            new Installation(Path.of("/ulfm.jar"), Path.of("/examples.jar"), Path.of("/jdk/bin/java"));

    private static final String FIRST = "-XX:Tier3InvocationThreshold=500";
    private static final String SECOND = "-XX:Tier4InvocationThreshold=20000";
    private static final String COMMANDS = "-XX:CompileCommand=quiet";

    @Test
    void shouldChooseWhenCompilersWorkAndWhatTheyAreTold() {
        assertThat(words(Map.of())).contains(FIRST, SECOND, COMMANDS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xint",
                "-Xcomp",
                "-XX:TieredStopAtLevel=1",
                "-XX:-TieredCompilation",
                "-XX:CompileThresholdScaling=2.0",
                "-XX:CompilationMode=quick-only"
            })
    void shouldLeaveTheCompilersToTheUserWhoChoosesBetweenThem(String chosen) {
        assertThat(words(Map.of(), chosen)).doesNotContain(FIRST, SECOND, COMMANDS);
        assertThat(words(Map.of("JAVA_TOOL_OPTIONS", chosen))).doesNotContain(FIRST, SECOND, COMMANDS);
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:Tier3InvocationThreshold=100," + FIRST,
        "-XX:Tier3DelayOn=0," + FIRST,
        "-XX:Tier4InvocationThreshold=5000," + SECOND,
        "'-XX:CompileCommand=inline,A::b'," + COMMANDS,
        "-XX:CompilerDirectivesFile=own," + COMMANDS
    })
    void shouldLeaveEachChoiceToTheUserByItself(String chosen, String ours) {
        List<String> others = new ArrayList<>(List.of(FIRST, SECOND, COMMANDS));
        others.remove(ours);
        assertThat(words(Map.of(), chosen)).doesNotContain(ours).containsAll(others);
    }

    @Test
    void shouldTellTheCompilersOfMethodsThatThereAre() throws ClassNotFoundException {
        for (String line : Stream.concat(CompileCommands.ROOMS.stream(), CompileCommands.WAITS.stream())
                .toList()) {
            String[] words = line.split(" ");
            List<String> methods = Stream.of(
                            Class.forName(words[0], false, getClass().getClassLoader())
                                    .getDeclaredMethods())
                    .map(Method::getName)
                    .toList();
            assertThat(methods).as(line).contains(Arrays.copyOfRange(words, 1, words.length));
        }
    }

    @Test
    void shouldLeaveTheSelectorToTheUser() {
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
    void shouldNotStopAllThreadsOnceASecondUnlessTheUserChooses() {
        String option = "-XX:GuaranteedSafepointInterval=0";
        assertThat(words(Map.of()).contains(option)).isEqualTo(Runtime.version().feature() <= 21);
        assertThat(words(Map.of(), "-XX:GuaranteedSafepointInterval=500")).doesNotContain(option);
        assertThat(words(Map.of(), "-XX:-UnlockDiagnosticVMOptions")).doesNotContain(option);
    }

    @Test
    void shouldKeepTheVirtualMachinesWarningOfItsCountersOutOfTheOutputUnlessTheUserLogsThem() {
        assertThat(words(Map.of())).containsSubsequence("-Xlog:perf+memops=error", "Main");
        assertThat(words(Map.of(), "-Xlog:perf*=debug")).doesNotContain("-Xlog:perf+memops=error");
    }

    @Test
    void shouldChangeNothingForAnotherVirtualMachine() {
        StartCommand other = new StartCommand(List.of("/other/bin/java", "Main"), Map.of(), Path.of("/"), true);
        assertThat(QuickStart.addTo(other, OURS, Map.of())).isEqualTo(other);
        StartCommand script = new StartCommand(List.of("/bin/sh", "-c", "true"), Map.of(), Path.of("/"), false);
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
        return QuickStart.addTo(new StartCommand(words, Map.of(), Path.of("/"), true), OURS, environment)
                .words();
    }
}
