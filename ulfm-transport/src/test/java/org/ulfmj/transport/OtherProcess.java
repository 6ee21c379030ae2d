package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process of a test, which runs a class of the test's own. */
public final class OtherProcess {
    private OtherProcess() {}

    /** A builder of a process that runs a test class, and whose standard error goes to that of the test. */
    public static ProcessBuilder of(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(java(), "-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /**
     * Runs a class in a process that can open few files only, and returns what the process wrote to its standard output
     * and error. The process must end with exit code 0.
     */
    public static String saidWithFewDescriptors(Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        // Interpreted only: a compiler thread that opens /proc/meminfo would free a descriptor at a wrong time.
        List<String> words =
                new ArrayList<>(List.of("ulimit -n 128 && exec", java(), "-Xint -cp", classPath(), main.getName()));
        words.addAll(List.of(arguments));
        Process other = new ProcessBuilder("sh", "-c", String.join(" ", words))
                .redirectErrorStream(true)
                .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).as(said).isZero();
        return said;
    }

    /** Opens files until this process may open no more. */
    public static List<FileInputStream> takeAllDescriptors() {
        List<FileInputStream> open = new ArrayList<>();
        try {
            while (true) {
                open.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException full) {
            return open;
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }
}
