package org.ulfmj.launch.program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.ulfmj.command.UsageException;

/**
 * Puts our jar in front of a program's class path, so that a user compiles and runs as if {@code mpi} were part of
 * Java.
 *
 * <p>{@code java -jar X} takes no class path, so it becomes {@code java -cp ours:X Main-Class}, where {@code ours} is
 * our jar; a few other entries of the manifest of X, such as {@code Add-Exports}, become options. A command that is not
 * {@code java} gets our jar in front of its variable {@code CLASSPATH}, for scripts that start {@code java} themselves.
 */
final class JavaCommand {
    private static final String CLASSPATH = "CLASSPATH";

    private final Path ourJar;
    private final Path workingDirectory;
    private final String classPathVariable;

    /**
     * @param ourJar holds package {@code mpi}
     * @param workingDirectory of the processes, to which relative names are relative
     * @param environment of the processes
     */
    JavaCommand(Path ourJar, Path workingDirectory, Map<String, String> environment) {
        this.ourJar = ourJar;
        this.workingDirectory = workingDirectory;
        this.classPathVariable = environment.get(CLASSPATH);
    }

    /** Whether the name of a command is {@code java}, with or without directories before it. */
    static boolean isJava(String command) {
        return command.equals("java") || command.endsWith("/java");
    }

    /**
     * The whole command, with our jar in its class path, or in its module path if the program is a module.
     *
     * @throws UsageException if the program is a jar whose manifest cannot be read, names no main class, or cannot be
     *     turned into options
     */
    StartCommand withOurJar(Path java, JavaArguments given) {
        List<String> words = new ArrayList<>();
        words.add(java.toString());
        // A virtual machine that ran out of memory is ended by this option: without it, it may go on without the thread
        // that mattered, which no rank would detect. The option comes first, so that a user's own choice comes later
        // and wins.
        words.add("-XX:+ExitOnOutOfMemoryError");
        words.addAll(given.options());
        switch (given.form()) {
            case MAIN_CLASS, SOURCE_FILE -> addProgram(words, given, userClassPath(given), given.program());
            case JAR -> addJar(words, given);
            case MODULE -> addModule(words, given);
            case NONE -> addNothing(words, given);
        }
        words.addAll(given.arguments());
        return new StartCommand(List.copyOf(words), Map.of(), workingDirectory, true);
    }

    /**
     * The variables for a command that is not {@code java}: {@code CLASSPATH} with our jar first, before its former
     * value or the working directory.
     */
    Map<String, String> environmentWithOurJar() {
        return Map.of(CLASSPATH, classPath(classPathVariable == null ? "." : classPathVariable));
    }

    private void addProgram(List<String> words, JavaArguments given, String classPath, String program) {
        if (given.modulePath() != null) {
            words.add("-p");
            words.add(given.modulePath());
        }
        words.add("-cp");
        words.add(classPath(classPath));
        words.add(program);
    }

    private void addJar(List<String> words, JavaArguments given) {
        Attributes attributes = manifest(given.program());
        String mainClass = attributes.getValue(Attributes.Name.MAIN_CLASS);
        if (mainClass == null) {
            throw new UsageException("java -jar " + given.program() + ": its manifest names no Main-Class");
        }
        addPackages(words, "--add-exports", attributes.getValue("Add-Exports"));
        addPackages(words, "--add-opens", attributes.getValue("Add-Opens"));
        String nativeAccess = attributes.getValue("Enable-Native-Access");
        if (nativeAccess != null) {
            words.add("--enable-native-access=" + nativeAccess.trim());
        }
        addAgent(words, given.program(), attributes);
        addProgram(words, given, given.program(), mainClass.trim());
    }

    private static void addAgent(List<String> words, String jar, Attributes attributes) {
        String agent = attributes.getValue("Launcher-Agent-Class");
        if (agent == null) {
            return;
        }
        String premain = attributes.getValue("Premain-Class");
        if (premain == null || !premain.trim().equals(agent.trim())) {
            throw new UsageException("java -jar " + jar + ": its manifest's Launcher-Agent-Class " + agent.trim()
                    + " cannot be started without -jar, because it is not its Premain-Class too;"
                    + " start the program with -cp and its main class");
        }
        words.add("-javaagent:" + jar);
    }

    private static void addPackages(List<String> words, String option, String packages) {
        if (packages == null || packages.isBlank()) {
            return;
        }
        for (String name : packages.trim().split("\\s+")) {
            words.add(option);
            words.add(name + "=ALL-UNNAMED");
        }
    }

    private void addModule(List<String> words, JavaArguments given) {
        words.add("-p");
        words.add(given.modulePath() == null ? ourJar.toString() : ourJar + ":" + given.modulePath());
        if (given.classPath() != null) {
            words.add("-cp");
            words.add(given.classPath());
        }
        words.add("-m");
        words.add(given.program());
    }

    private void addNothing(List<String> words, JavaArguments given) {
        words.add("-cp");
        words.add(classPath(userClassPath(given)));
    }

    private String userClassPath(JavaArguments given) {
        if (given.classPath() != null) {
            return given.classPath();
        }
        return classPathVariable == null ? "." : classPathVariable;
    }

    private String classPath(String rest) {
        return ourJar + ":" + rest;
    }

    private Attributes manifest(String jar) {
        Path file = workingDirectory.resolve(jar);
        try (JarFile opened = new JarFile(file.toFile())) {
            Manifest manifest = opened.getManifest();
            return manifest == null ? new Attributes() : manifest.getMainAttributes();
        } catch (IOException e) {
            throw new UsageException("java -jar " + jar + ": cannot be read (" + e.getMessage() + ")");
        }
    }
}
