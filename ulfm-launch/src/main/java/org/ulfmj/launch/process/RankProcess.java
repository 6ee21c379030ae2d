package org.ulfmj.launch.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;

/**
 * One started process of the job, in its own session so that a terminal's signals reach only the launcher, which passes
 * on what it wants to. A spare has no place in the world until it is given one.
 */
public final class RankProcess {
    private static final File NOTHING = new File("/dev/null");

    private final int spare;
    private final Process process;
    private final boolean leadsGroup;
    private volatile ProcessId id;
    private volatile boolean isCondemned;

    /** @param process the one that was started */
    public static RankProcess of(ProcessId id, Process process) {
        return new RankProcess(id, 0, process, false);
    }

    private RankProcess(ProcessId id, int spare, Process process, boolean leadsGroup) {
        this.id = id;
        this.spare = spare;
        this.process = process;
        this.leadsGroup = leadsGroup;
    }

    /**
     * Starts it. The first process of slot 0 reads the launcher's own stdin, all others read nothing: a replacement
     * could only read what its predecessor had left of it.
     *
     * @param id its place; null for a spare
     * @param spare which spare it is, from 1; 0 for what has a place
     * @param words executable and arguments
     * @param environment variables besides the launcher's own
     * @throws IOException if the system cannot start it
     */
    public static RankProcess start(
            ProcessId id, int spare, List<String> words, Map<String, String> environment, Path workingDirectory)
            throws IOException {
        List<String> command = new ArrayList<>(NewSession.prefix());
        boolean leadsGroup = !command.isEmpty();
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).directory(workingDirectory.toFile());
        UserLocale.restore(builder.environment());
        builder.environment().putAll(environment);
        boolean isReader = id != null && id.slot() == 0 && id.incarnation() == 0 && !TerminalInput.isOthers();
        builder.redirectInput(isReader ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.from(NOTHING));
        return new RankProcess(id, spare, builder.start(), leadsGroup);
    }

    /** Its place in the world; null for a spare that has none. Any thread. */
    public ProcessId id() {
        return id;
    }

    /** The spare gets a place, for good. */
    public void assign(ProcessId place) {
        id = place;
    }

    /** Which spare it is or was, from 1; 0 for one that was started with a place. */
    public int spare() {
        return spare;
    }

    /** For people: {@code 2}, {@code 2'1}, {@code spare 1}. Any thread. */
    public String name() {
        ProcessId place = id;
        return place == null ? "spare " + spare : place.toString();
    }

    public long pid() {
        return process.pid();
    }

    public Process process() {
        return process;
    }

    /** Whether its group has its pid for a name, so that signals to the group reach its children too. */
    public boolean leadsGroup() {
        return leadsGroup;
    }

    public boolean hasEnded() {
        return !process.isAlive();
    }

    /** As a shell sees it: 128 + n if signal n ended it. Only once it has ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** It is to end, and how its end comes along is to be watched. Any thread. */
    public void condemn() {
        isCondemned = true;
    }

    public boolean isCondemned() {
        return isCondemned;
    }

    /** SIGKILL to this process alone, at once. */
    public void kill() {
        process.destroyForcibly();
    }
}
