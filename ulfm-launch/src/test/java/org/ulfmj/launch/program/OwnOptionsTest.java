package org.ulfmj.launch.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnOptionsTest {
    private static OwnOptions of(List<String> words, Map<String, String> added, Map<String, String> inherited) {
        return new OwnOptions(new StartCommand(words, added, Path.of("/"), true), inherited);
    }

    @Test
    void shouldFindAnOptionInTheCommandByItsBeginning() {
        OwnOptions own = of(List.of("java", "-Xmx1g", "Main"), Map.of(), Map.of());
        assertThat(own.isAny(List.of("-Xmx"))).isTrue();
        assertThat(own.isAny(List.of("-Xms", "mx"))).isFalse();
    }

    @Test
    void shouldFindAnOptionInAVariableThatIsInheritedOrAdded() {
        Map<String, String> variable = Map.of("JAVA_TOOL_OPTIONS", " -ea\t\"-Xshare:off\"");
        assertThat(of(List.of("java"), variable, Map.of()).isAny(List.of("-Xshare")))
                .isTrue();
        assertThat(of(List.of("java"), Map.of(), variable).isAny(List.of("-Xshare")))
                .isTrue();
        assertThat(of(List.of("java"), Map.of(), Map.of("OTHER", "-Xshare:off")).isAny(List.of("-Xshare")))
                .isFalse();
    }

    @Test
    void shouldListTheOptionsOfAllVariables() {
        OwnOptions own = of(List.of("java"), Map.of("_JAVA_OPTIONS", "-ea -esa"), Map.of("JDK_JAVA_OPTIONS", "-Xint"));
        assertThat(own.inVariables()).containsExactlyInAnyOrder("-ea", "-esa", "-Xint");
    }
}
