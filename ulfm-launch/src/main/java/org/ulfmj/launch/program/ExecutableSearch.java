package org.ulfmj.launch.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ulfmj.command.UsageException;

/**
 * Finds the file of a command as a shell would. This is done before any process is started, so that after a typing
 * error no process is started.
 */
final class ExecutableSearch {
    /** How many bytes of a script's first line the kernel reads. */
    private static final int MOST_INTERPRETER_BYTES = 256;

    private final String searchPath;
    private final Path workingDirectory;

    /**
     * @param searchPath value of {@code PATH}; null if there is none
     * @param workingDirectory to which relative names of files are relative
     */
    ExecutableSearch(String searchPath, Path workingDirectory) {
        this.searchPath = searchPath == null ? "" : searchPath;
        this.workingDirectory = workingDirectory;
    }

    /**
     * The file that a command names.
     *
     * @throws UsageException with code 127 if there is none, 126 if it may not be executed or is a script whose
     *     interpreter does not exist
     */
    Path find(String command) {
        if (command.indexOf('/') >= 0) {
            return checked(command, workingDirectory.resolve(command));
        }
        Path unusable = null;
        for (String directory : searchPath.split(":")) {
            Path candidate = workingDirectory.resolve(directory).resolve(command);
            if (isProgram(candidate)) {
                return withInterpreter(candidate);
            }
            if (unusable == null && Files.isRegularFile(candidate)) {
                unusable = candidate;
            }
        }
        if (unusable != null) {
            return checked(command, unusable);
        }
        throw new UsageException(
                UsageException.NOT_FOUND,
                "cannot find '" + command + "' in PATH (" + searchPath + ")" + adviceAboutJava(command));
    }

    /**
     * Advice on what to write instead, if the command is a class, a jar or a source file of Java; empty for any other
     * command.
     */
    private String adviceAboutJava(String command) {
        if (command.endsWith(".jar")) {
            return "; write java -jar " + command;
        }
        String main = command.replaceFirst("\\.(java|class)$", "");
        boolean isJava = !main.equals(command)
                || Files.isRegularFile(workingDirectory.resolve(main.replace('.', '/') + ".class"));
        return isJava ? "; write java " + main : "";
    }

    private static Path checked(String command, Path file) {
        if (!Files.exists(file)) {
            throw new UsageException(UsageException.NOT_FOUND, "cannot find '" + command + "'");
        }
        if (!isProgram(file)) {
            throw new UsageException(UsageException.NOT_EXECUTABLE, "'" + file + "' is not an executable file");
        }
        return withInterpreter(file);
    }

    /**
     * Returns the file itself. If it is a script, checks first that its interpreter exists: a script names its
     * interpreter in its first line, and if that is missing, the system's error names neither of the two.
     */
    private static Path withInterpreter(Path file) {
        String interpreter = interpreterOf(file);
        if (!interpreter.isEmpty() && !Files.exists(Path.of(interpreter))) {
            throw new UsageException(
                    UsageException.NOT_EXECUTABLE,
                    "'" + file + "' cannot be executed: its first line asks for " + interpreter
                            + ", which does not exist");
        }
        return file;
    }

    /**
     * The interpreter of a script; empty for a file that is no script, for one that cannot be read, for a script whose
     * first line does not end within {@link #MOST_INTERPRETER_BYTES}, and for an interpreter whose name is relative.
     */
    private static String interpreterOf(Path file) {
        byte[] begin = new byte[MOST_INTERPRETER_BYTES];
        int length;
        try (InputStream in = Files.newInputStream(file)) {
            length = in.readNBytes(begin, 0, begin.length);
        } catch (IOException unreadable) {
            return "";
        }
        String text = new String(begin, 0, length, StandardCharsets.UTF_8);
        int lineEnd = text.indexOf('\n');
        if (!text.startsWith("#!") || lineEnd < 0) {
            return "";
        }
        String words = text.substring(2, lineEnd).strip();
        int space = words.indexOf(' ');
        String name = space < 0 ? words : words.substring(0, space);
        return name.startsWith("/") ? name : "";
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
