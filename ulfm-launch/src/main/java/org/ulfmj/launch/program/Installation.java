package org.ulfmj.launch.program;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.ulfmj.command.UsageException;

/**
 * The paths of our own files.
 *
 * @param jar our jar, which holds package {@code mpi} and all classes that it needs
 * @param examples the jar of the examples; need not exist
 * @param java the virtual machine that runs {@code mpiexec} itself
 */
public record Installation(Path jar, Path examples, Path java) {
    private static final String EXAMPLES_JAR = "examples.jar";

    /**
     * The installation of the running launcher. The jar of the examples lies beside our jar, or in the folder
     * {@code target} of a build.
     */
    public static Installation running() {
        Path jar = ownJar();
        Path beside = jar.resolveSibling(EXAMPLES_JAR);
        Path built =
                jar.resolve("../../../examples/target").resolve(EXAMPLES_JAR).normalize();
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new Installation(jar, Files.exists(beside) ? beside : built, java);
    }

    /** The names of the example programs. */
    List<String> exampleNames() {
        List<String> names = new ArrayList<>();
        try (JarFile opened = new JarFile(examples.toFile())) {
            for (JarEntry entry : Collections.list(opened.entries())) {
                String name = entry.getName();
                if (name.matches("examples/[A-Z]\\w*\\.class") && isProgram(opened, entry)) {
                    names.add(name.substring("examples/".length(), name.length() - ".class".length()));
                }
            }
        } catch (IOException e) {
            throw new UsageException("cannot read the examples in " + examples + " (" + e.getMessage() + ")");
        }
        return names;
    }

    /**
     * Whether a class file contains the name and the type of {@code main(String[])}. The class is not loaded, as that
     * would need its class path.
     */
    private static boolean isProgram(JarFile opened, JarEntry entry) throws IOException {
        try (InputStream content = opened.getInputStream(entry)) {
            String text = new String(content.readAllBytes(), StandardCharsets.ISO_8859_1);
            return text.contains("\u0004main") && text.contains("([Ljava/lang/String;)V");
        }
    }

    /** The version of our jar. */
    public String version() {
        String version = Installation.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    private static Path ownJar() {
        try {
            return Path.of(Installation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of our own classes is no file", e);
        }
    }
}
