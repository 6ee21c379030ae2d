package org.ulfmj.command;

/** The user's request cannot be met. The message, which is for the user, says why. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The exit code for a command line that cannot be understood; also that of an exception made without a code. */
    public static final int USAGE = 2;
    /** The exit code for a file that may not be executed, as shells have it. */
    public static final int NOT_EXECUTABLE = 126;
    /** The exit code for a command that does not exist, as shells have it. */
    public static final int NOT_FOUND = 127;

    private final int exitCode;

    public UsageException(String message) {
        this(USAGE, message);
    }

    public UsageException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Returns the exit code with which the command ends because of this exception. */
    public int exitCode() {
        return exitCode;
    }
}
