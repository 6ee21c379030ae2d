package org.ulfmj.launch.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the check whether a program can never start, as its main class is missing or too new, or whether another cause
 * must be assumed.
 */
class MissingClassTest {
    private static final int JAVA_17 = 61;

    /** The working directory of the processes. */
    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private String java;

    @BeforeEach
    void makeJava() throws IOException {
        Path home = directory.toRealPath().resolve("jdk");
        Files.createDirectories(home.resolve("bin"));
        java = Files.createFile(home.resolve("bin/java")).toString();
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
        Files.createDirectories(directory.resolve("classes/pack"));
        writeClass("Main", JAVA_17);
    }

    private void writeClass(String name, int version) throws IOException {
        Files.write(directory.resolve("classes/pack/" + name + ".class"), classFile(version));
    }

    private static byte[] classFile(int version) {
        return new byte[] {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, 0, (byte) version};
    }

    private String sentence(String... afterJava) {
        List<String> words = new ArrayList<>(List.of(java));
        words.addAll(List.of(afterJava));
        return MissingClass.sentence(new StartCommand(words, Map.of(), directory, true), environment);
    }

    @Test
    void shouldSayWhichClassIsMissing() {
        assertThat(sentence("-Xmx64m", "-cp", "classes", "pack.Maine", "argument"))
                .isEqualTo("its class path has no class pack.Maine");
        assertThat(sentence("-cp", "no-such-folder:no-such.jar:lib/*", "pack.Main"))
                .isEqualTo("its class path has no class pack.Main");
    }

    @Test
    void shouldSayThatAClassIsForANewerJava() throws IOException {
        writeClass("Newer", JAVA_17 + 4);

        assertThat(sentence("-cp", "classes", "pack.Newer"))
                .isEqualTo("its class pack.Newer is compiled for Java 21, and " + java + " is Java 17");
    }

    @Test
    void shouldSayNothingOfAClassThatIsThere() throws IOException {
        Files.createDirectories(directory.resolve("lib"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(directory.resolve("lib/one.jar")))) {
            jar.putNextEntry(new JarEntry("pack/Packed.class"));
            jar.write(classFile(JAVA_17));
        }

        assertThat(sentence("-cp", "classes", "pack.Main")).isNull();
        assertThat(sentence("-cp", "classes", "pack/Main")).isNull();
        assertThat(sentence("-cp", "nothing:lib/one.jar", "pack.Packed")).isNull();
        assertThat(sentence("-cp", "lib/*", "pack.Packed")).isNull();
    }

    @Test
    void shouldSayNothingWhereClassesMayComeFromElsewhere() {
        assertThat(sentence("-javaagent:maker.jar", "-cp", "classes", "pack.Made"))
                .isNull();
        assertThat(sentence("-p", "modules", "-m", "module/pack.Made")).isNull();
        assertThat(sentence("-cp", "classes", "Script.java")).isNull();
        assertThat(MissingClass.sentence(new StartCommand(List.of("sh"), Map.of(), directory, false), Map.of()))
                .isNull();
        environment.put("JAVA_TOOL_OPTIONS", "-Xmx64m");
        assertThat(sentence("-cp", "classes", "pack.Made")).isNotNull();
        environment.put("JAVA_TOOL_OPTIONS", "-Xmx64m -javaagent:maker.jar");
        assertThat(sentence("-cp", "classes", "pack.Made")).isNull();
    }

    @Test
    void shouldSayNothingOfTheVersionWhereThatOfJavaIsNotKnown() throws IOException {
        writeClass("Newer", JAVA_17 + 4);
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"nothing\"\n");

        assertThat(sentence("-cp", "classes", "pack.Newer")).isNull();
    }
}
