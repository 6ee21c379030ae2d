package org.ulfmj.launch.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command that a process of a job executes.
 *
 * @param words the executable file and its arguments
 * @param environment variables to be set besides those of the launcher; a variable with the value null is removed
 * @param directory the working directory of the process
 * @param isJava whether the process is a Java virtual machine itself, so that signals for a virtual machine may be sent
 *     to it and its state in {@code /proc} shows its death
 */
public record StartCommand(List<String> words, Map<String, String> environment, Path directory, boolean isJava) {
    /**
     * The same command with more options for the virtual machine. The added options stand before the user's, so the
     * user's options win.
     */
    public StartCommand withJavaOptions(List<String> options) {
        List<String> more = new ArrayList<>(words);
        more.addAll(1, options);
        return new StartCommand(List.copyOf(more), environment, directory, isJava);
    }
}
