package org.ulfmj.launch.command;

/** The user's request cannot be met. The message is for the user. No process was started. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A command line that cannot be understood. */
    public static final int USAGE = 2;
    /** A file that may not be executed, as shells have it. */
    public static final int NOT_EXECUTABLE = 126;
    /** A command that does not exist, as shells have it. */
    public static final int NOT_FOUND = 127;

    private final int exitCode;

    public UsageException(String message) {
        this(USAGE, message);
    }

    public UsageException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The exit code of {@code mpiexec}. */
    public int exitCode() {
        return exitCode;
    }
}
