package org.ulfmj.launch.command;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds a command as a shell would, before anything is started, so that a typing error starts nothing. */
final class ExecutableSearch {
    private final String searchPath;
    private final Path workingDirectory;

    /**
     * @param searchPath value of {@code PATH}; null if there is none
     * @param workingDirectory relative names are relative to it
     */
    ExecutableSearch(String searchPath, Path workingDirectory) {
        this.searchPath = searchPath == null ? "" : searchPath;
        this.workingDirectory = workingDirectory;
    }

    /**
     * The file that a command names.
     *
     * @throws UsageException with code 127 if there is none, 126 if it may not be executed
     */
    Path find(String command) {
        if (command.indexOf('/') >= 0) {
            return checked(command, workingDirectory.resolve(command));
        }
        Path unusable = null;
        for (String directory : searchPath.split(":")) {
            Path candidate = workingDirectory.resolve(directory).resolve(command);
            if (isProgram(candidate)) {
                return candidate;
            }
            if (unusable == null && Files.isRegularFile(candidate)) {
                unusable = candidate;
            }
        }
        if (unusable != null) {
            return checked(command, unusable);
        }
        throw new UsageException(
                UsageException.NOT_FOUND, "cannot find '" + command + "' in PATH (" + searchPath + ")");
    }

    private static Path checked(String command, Path file) {
        if (!Files.exists(file)) {
            throw new UsageException(UsageException.NOT_FOUND, "cannot find '" + command + "'");
        }
        if (!isProgram(file)) {
            throw new UsageException(UsageException.NOT_EXECUTABLE, "'" + file + "' is not an executable file");
        }
        return file;
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
