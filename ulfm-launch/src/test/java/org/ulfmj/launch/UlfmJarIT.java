package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/**
 * Checks the jar that users get: it contains no classes that could hide a user's own libraries, and its NOTICE names
 * all libraries in it.
 */
class UlfmJarIT {
    private static final Path JAR = Path.of("target/ulfm.jar");
    private static final String SHADED = "org/ulfmj/shaded/";

    @Test
    void shouldHoldNoClassesOfOthersUnderTheirOwnNames() throws IOException {
        assertThat(classes()).isNotEmpty().allMatch(name -> name.startsWith("org/ulfmj/") || name.startsWith("mpi/"));
    }

    @Test
    void shouldCarryTheLicencesOfAllThatIsInIt() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            for (String name : Set.of("LICENSE", "NOTICE")) {
                assertThat(jar.getInputStream(new JarEntry("META-INF/" + name)))
                        .hasSameContentAs(Files.newInputStream(Path.of("..", name)));
            }
        }
        Set<String> libraries = new TreeSet<>();
        for (String name : classes()) {
            if (name.startsWith(SHADED)) {
                libraries.add(name.substring(SHADED.length()).replaceAll("/.*", ""));
            }
        }
        String notice = Files.readString(Path.of("../NOTICE")).toLowerCase(Locale.ROOT);
        assertThat(libraries).hasSize(3).allMatch(library -> notice.contains("  " + library));
    }

    private static Set<String> classes() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            Set<String> names = new TreeSet<>();
            jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .forEach(names::add);
            return names;
        }
    }
}
