package org.ulfmj.transport.host;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * The reason why the system has refused something, in words for users: mostly without names of Java classes, and in
 * some cases with the limit to raise.
 */
public final class SystemReason {
    private static final String PROCESSES =
            " (ulimit -u and the pids limit of a container set how many processes and threads may run)";

    private SystemReason() {}

    /** Returns the reason, with the path that the failure names in front of it, if it names one. */
    public static String of(IOException failure) {
        if (failure instanceof FileSystemException file && file.getFile() != null) {
            return file.getFile() + ": " + withoutPath(failure);
        }
        return withoutPath(failure);
    }

    /** Returns the reason alone, for a message that names the path itself. */
    public static String withoutPath(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "exists already";
        }
        if (failure instanceof CharacterCodingException) {
            return "not a text in UTF-8";
        }
        if (failure instanceof FileSystemException file && file.getReason() != null) {
            return file.getReason();
        }
        String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return text + advice(text);
    }

    /** Returns the reason why a thread could not be started; null for an error of another kind. */
    public static String ofThreads(Throwable failure) {
        boolean isLack = failure instanceof OutOfMemoryError
                && failure.getMessage() != null
                && failure.getMessage().contains("native thread");
        return isLack ? failure.getMessage() + PROCESSES : null;
    }

    /**
     * Says which limit the user should raise, for the text of any failure; empty if the text names no known one. 11 is
     * EAGAIN of Linux: the JDK puts that number into the message when a process could not be started.
     */
    private static String advice(String text) {
        if (text.contains("Too many open files")) {
            return " (ulimit -n sets how many)";
        }
        return text.contains("error=11,") ? PROCESSES : "";
    }
}
