package org.ulfmj.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;

/**
 * One started process of the job, in a session of its own so that a terminal's signals reach only the launcher, which
 * passes on what it wants to.
 */
final class RankProcess {
    private static final File NOTHING = new File("/dev/null");

    private final ProcessId id;
    private final Process process;
    private final boolean leadsGroup;

    private RankProcess(ProcessId id, Process process, boolean leadsGroup) {
        this.id = id;
        this.process = process;
        this.leadsGroup = leadsGroup;
    }

    /**
     * Starts it. The first process of slot 0 reads the launcher's own stdin, the others read nothing.
     *
     * @param words executable and arguments
     * @param environment variables besides the launcher's own
     * @throws IOException if the system cannot start it
     */
    static RankProcess start(ProcessId id, List<String> words, Map<String, String> environment, Path workingDirectory)
            throws IOException {
        List<String> command = new ArrayList<>(NewSession.prefix());
        boolean leadsGroup = !command.isEmpty();
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).directory(workingDirectory.toFile());
        builder.environment().putAll(environment);
        builder.redirectInput(id.slot() == 0 ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.from(NOTHING));
        return new RankProcess(id, builder.start(), leadsGroup);
    }

    ProcessId id() {
        return id;
    }

    int slot() {
        return id.slot();
    }

    long pid() {
        return process.pid();
    }

    Process process() {
        return process;
    }

    /** Whether its group has its pid for a name, so that signals to the group reach its children too. */
    boolean leadsGroup() {
        return leadsGroup;
    }

    boolean hasEnded() {
        return !process.isAlive();
    }

    /** As a shell sees it: 128 + n if signal n ended it. Only once it has ended. */
    int exitCode() {
        return process.exitValue();
    }

    /** SIGKILL to this process alone, at once. */
    void kill() {
        process.destroyForcibly();
    }
}
