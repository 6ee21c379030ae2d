package org.ulfmj.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The project that the README shows: its pom, its program, and the test of the program's recovery. */
final class OutsideProject {
    private static final Pattern POM = Pattern.compile("```xml\n(<project>.*?)```", Pattern.DOTALL);
    private static final Pattern PROGRAM = Pattern.compile("```java\n(import mpi.*?)```", Pattern.DOTALL);
    private static final Pattern TEST = Pattern.compile("```java\n(@SimulatedMpi.*?)```", Pattern.DOTALL);

    private OutsideProject() {}

    static String pomText() throws IOException {
        return find(POM);
    }

    static Pom pom() throws IOException {
        Path file = Files.createTempFile("pom", ".xml");
        try {
            return Pom.read(Files.writeString(file, pomText()));
        } finally {
            Files.delete(file);
        }
    }

    /** Writes the whole project into a directory. */
    static void write(Path directory) throws IOException {
        Path main = Files.createDirectories(directory.resolve("src/main/java"));
        Path test = Files.createDirectories(directory.resolve("src/test/java"));
        Files.writeString(directory.resolve("pom.xml"), pomText());
        Files.writeString(main.resolve("Headcount.java"), find(PROGRAM));
        Files.writeString(
                test.resolve("HeadcountTest.java"),
                "import org.ulfmj.testkit.junit.SimulatedMpi;\n\nclass HeadcountTest {\n" + find(TEST) + "}\n");
    }

    private static String find(Pattern pattern) throws IOException {
        Matcher matcher = pattern.matcher(Files.readString(Pom.HOME.resolve("README.md")));
        if (!matcher.find()) {
            throw new AssertionError("README has no " + pattern);
        }
        return matcher.group(1);
    }
}
