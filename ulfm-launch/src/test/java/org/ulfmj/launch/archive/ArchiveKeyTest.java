package org.ulfmj.launch.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveKeyTest {
    @TempDir
    Path root;

    @Test
    void shouldTellTheNumberOfTheJavaVersion() throws IOException {
        assertThat(featureOf("IMPLEMENTOR=\"N/A\"\nJAVA_VERSION=\"25.0.1\"\n")).isEqualTo(25);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "OS_NAME=\"Linux\"\n", "JAVA_VERSION=\"\"\n", "IMPLEMENTOR=\"25 of us\"\n"})
    void shouldTellNoNumberWhereTheInstallationDoesNot(String release) throws IOException {
        assertThat(featureOf(release)).isZero();
    }

    private int featureOf(String release) throws IOException {
        Path java = root.resolve("jdk/bin/java");
        Path jar = root.resolve("ulfm.jar");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "");
        Files.writeString(jar, "");
        Files.writeString(root.resolve("jdk/release"), release);
        return ArchiveKey.of(java, jar, Map.of("HOME", root.toString())).feature();
    }
}
