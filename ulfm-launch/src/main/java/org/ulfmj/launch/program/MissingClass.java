package org.ulfmj.launch.program;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Finds out why a Java program that ended before it joined the job can never start: its class path has no main class,
 * or the class is compiled for a newer Java. This is done only after such an end, as it takes time. Where options of
 * the virtual machine may bring the class from elsewhere, no reason is given.
 */
public final class MissingClass {
    /** Options of java by which classes may come from elsewhere than the class path. */
    private static final List<String> ELSEWHERE =
            List.of("-Xbootclasspath", "-javaagent", "--patch-module", "-Djava.system.class.loader");

    /** Environment variables with options that java adds to those of its command line. */
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private static final String WILDCARD = "/*";
    private static final int CLASS_FILE = 0xcafebabe;
    /** By how much the version number of a class file is greater than the version of Java that it is compiled for. */
    private static final int CLASS_VERSIONS = 44;

    private MissingClass() {}

    /**
     * Says, as a sentence about the program, why no process of this command can start; null if nothing is known to
     * prevent it. Only for a process of this host.
     *
     * @param environment of the launcher
     */
    public static String sentence(StartCommand command, Map<String, String> environment) {
        if (!command.isJava()) {
            return null;
        }
        JavaArguments given =
                JavaArguments.parse(command.words().subList(1, command.words().size()), command.directory());
        if (given.form() != JavaArguments.Form.MAIN_CLASS
                || given.modulePath() != null
                || mayBeElsewhere(given, environment)) {
            return null;
        }
        String name = given.program().replace('/', '.');
        try (URLClassLoader loader = new URLClassLoader(urls(given.classPath(), command.directory()));
                InputStream found = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (found == null) {
                return "its class path has no class " + name;
            }
            return newer(name, found, Path.of(command.words().get(0)));
        } catch (IOException | UncheckedIOException unreadable) {
            return null;
        }
    }

    private static boolean mayBeElsewhere(JavaArguments given, Map<String, String> environment) {
        List<String> all = new ArrayList<>(given.options());
        VARIABLES.forEach(name -> all.add(environment.getOrDefault(name, "")));
        return all.stream().anyMatch(text -> ELSEWHERE.stream().anyMatch(text::contains));
    }

    private static String newer(String name, InputStream found, Path java) throws IOException {
        DataInputStream in = new DataInputStream(found);
        int runs = feature(java);
        if (in.readInt() != CLASS_FILE || runs == 0) {
            return null;
        }
        in.readUnsignedShort();
        int wanted = in.readUnsignedShort() - CLASS_VERSIONS;
        return wanted <= runs
                ? null
                : "its class " + name + " is compiled for Java " + wanted + ", and " + java + " is Java " + runs;
    }

    /**
     * The Java version of an executable {@code java}, from the file {@code release} of its home; 0 if the file cannot
     * be read or does not say it.
     */
    private static int feature(Path java) throws IOException {
        Path release = java.toRealPath().resolve("../../release").normalize();
        if (!Files.isReadable(release)) {
            return 0;
        }
        Properties said = new Properties();
        try (InputStream in = Files.newInputStream(release)) {
            said.load(in);
        }
        String version = said.getProperty("JAVA_VERSION", "").replace("\"", "");
        try {
            return Runtime.Version.parse(version).feature();
        } catch (IllegalArgumentException unknown) {
            return 0;
        }
    }

    private static URL[] urls(String classPath, Path directory) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            if (entry.equals("*") || entry.endsWith(WILDCARD)) {
                addJars(directory.resolve(entry.substring(0, entry.length() - 1)), urls);
            } else {
                urls.add(url(directory.resolve(entry)));
            }
        }
        return urls.toArray(new URL[0]);
    }

    private static void addJars(Path folder, List<URL> urls) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each ->
                            each.toString().endsWith(".jar") || each.toString().endsWith(".JAR"))
                    .toList()) {
                urls.add(url(file));
            }
        }
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }
}
