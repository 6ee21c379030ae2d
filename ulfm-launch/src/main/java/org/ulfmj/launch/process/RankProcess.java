package org.ulfmj.launch.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.launch.command.StreamOptions;
import org.ulfmj.protocol.ProcessId;

/**
 * One started process of the job. Where the system has {@code setsid}, it is in a separate session, so that a
 * terminal's signals reach only the launcher, which passes some of them on. A spare has no slot in the world until it
 * is given one.
 */
public final class RankProcess {
    private static final File NOTHING = new File("/dev/null");

    private final int spare;
    private final Process process;
    private final boolean leadsGroup;
    private volatile ProcessId id;
    /** The name for users of a process of an elastic job; null in a job with a fixed number of ranks. */
    private volatile String elasticName;

    private volatile boolean isCondemned;
    private volatile boolean isTerminated;

    /**
     * @param id slot and incarnation of the process
     * @param process the launcher's object for the process, which this launcher need not have started
     */
    public static RankProcess of(ProcessId id, Process process) {
        return new RankProcess(id, 0, process, false);
    }

    /**
     * A process that the agent of another host starts.
     *
     * @param id its slot and incarnation; null for a spare
     * @param spare number of the spare, from 1; 0 for a process that has a slot
     * @param process the launcher's object for the process there
     */
    public static RankProcess elsewhere(ProcessId id, int spare, Process process) {
        return new RankProcess(id, spare, process, true);
    }

    private RankProcess(ProcessId id, int spare, Process process, boolean leadsGroup) {
        this.id = id;
        this.spare = spare;
        this.process = process;
        this.leadsGroup = leadsGroup;
    }

    /**
     * Starts a process. Incarnation 0 of slot 0, or of the slot that the user chose, reads the launcher's own stdin;
     * with {@code --stdin all}, incarnation 0 of every slot gets a pipe for a copy of it; with {@code --stdin none}, no
     * process reads it. All other processes have an empty stdin: a replacement could only read the rest that its
     * predecessor had left. All processes have an empty stdin if the launcher's stdin is a terminal in whose background
     * the launcher runs.
     *
     * @param id its slot and incarnation; null for a spare
     * @param spare number of the spare, from 1; 0 for a process that has a slot
     * @param words executable and arguments
     * @param environment variables besides the launcher's own; one with the value null is removed
     * @param streams what the user says of its streams; null if nothing
     * @throws IOException if the system cannot start it
     */
    public static RankProcess start(
            ProcessId id,
            int spare,
            List<String> words,
            Map<String, String> environment,
            Path workingDirectory,
            StreamOptions streams)
            throws IOException {
        ProcessBuilder.Redirect input = input(id, streams == null ? 0 : streams.reader());
        boolean isMerged = streams != null && streams.isMerged();
        return start(id, spare, words, environment, workingDirectory, isMerged, input);
    }

    /**
     * As the other method {@code start}, for a caller that feeds stdin itself.
     *
     * @param isMerged whether its stderr goes where its stdout goes
     * @param readsInput whether its stdin is a pipe, to which the output stream of {@link #process} writes; else its
     *     stdin is empty
     * @throws IOException if the system cannot start it
     */
    public static RankProcess start(
            ProcessId id,
            int spare,
            List<String> words,
            Map<String, String> environment,
            Path workingDirectory,
            boolean isMerged,
            boolean readsInput)
            throws IOException {
        ProcessBuilder.Redirect input =
                readsInput ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.from(NOTHING);
        return start(id, spare, words, environment, workingDirectory, isMerged, input);
    }

    private static RankProcess start(
            ProcessId id,
            int spare,
            List<String> words,
            Map<String, String> environment,
            Path workingDirectory,
            boolean isMerged,
            ProcessBuilder.Redirect input)
            throws IOException {
        List<String> command = new ArrayList<>(NewSession.prefix());
        boolean leadsGroup = !command.isEmpty();
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).directory(workingDirectory.toFile());
        UserLocale.restore(builder.environment());
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            if (variable.getValue() == null) {
                builder.environment().remove(variable.getKey());
            } else {
                builder.environment().put(variable.getKey(), variable.getValue());
            }
        }
        builder.redirectErrorStream(isMerged);
        builder.redirectInput(input);
        return new RankProcess(id, spare, builder.start(), leadsGroup);
    }

    private static ProcessBuilder.Redirect input(ProcessId id, int reader) {
        if (!isReader(id, reader) || TerminalInput.isOthers()) {
            return ProcessBuilder.Redirect.from(NOTHING);
        }
        return reader == StreamOptions.ALL ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.INHERIT;
    }

    /**
     * Whether a process reads the launcher's stdin.
     *
     * @param id null for a spare, which does not
     * @param reader the rank that reads stdin, or all, as {@link StreamOptions#reader}
     */
    public static boolean isReader(ProcessId id, int reader) {
        return id != null && id.incarnation() == 0 && (id.slot() == reader || reader == StreamOptions.ALL);
    }

    /** The slot and incarnation of the process; null for a spare that has no slot yet. Any thread. */
    public ProcessId id() {
        return id;
    }

    /** Gives a spare its place, for good. */
    public void assign(ProcessId place) {
        id = place;
    }

    /** The number of the spare, from 1; 0 for a process that was started with a slot. */
    public int spare() {
        return spare;
    }

    /** Names the process, which is one of an elastic job, after its number ({@code process 3}) until it has a rank. */
    public void hasNoRank() {
        elasticName = "process " + (id.slot() + 1);
    }

    /** Names the process, which is one of an elastic job, after the rank that it has now. */
    public void hasRank(int slot) {
        elasticName = Integer.toString(slot);
    }

    /** The name of the process for users: {@code 2}, {@code 2'1}, {@code spare 1}, {@code process 3}. Any thread. */
    public String name() {
        String elastic = elasticName;
        if (elastic != null) {
            return elastic;
        }
        ProcessId place = id;
        return place == null ? "spare " + spare : place.toString();
    }

    /**
     * As {@link #name}, with the word {@code rank} before it if it is a number: {@code rank 2'1}, {@code spare 1}. Any
     * thread.
     */
    public String title() {
        String name = name();
        return Character.isDigit(name.charAt(0)) ? "rank " + name : name;
    }

    public long pid() {
        return process.pid();
    }

    /** Whether the process runs on this host. */
    public boolean isHere() {
        return !(process instanceof Remote);
    }

    public Process process() {
        return process;
    }

    /** Whether the process is the leader of its process group, so that signals to the group reach its children too. */
    public boolean leadsGroup() {
        return leadsGroup;
    }

    public boolean hasEnded() {
        return !process.isAlive();
    }

    /**
     * Returns the exit code as a shell sees it: 128 + n if signal n ended the process; 0 for a process that another
     * launcher has started. May be called only once the process has ended.
     */
    public int exitCode() {
        return process.exitValue();
    }

    /**
     * Notes that the launcher wants this process to end. If the process is a Java virtual machine, the death watch of
     * its host reports its state at each look from now on, also while it does not stand still. Any thread.
     */
    public void condemn() {
        isCondemned = true;
        if (process instanceof Remote remote) {
            remote.condemned();
        }
    }

    public boolean isCondemned() {
        return isCondemned;
    }

    /** Notes that SIGTERM is sent to the group of this process. Only for a process of this host. Any thread. */
    void terminated() {
        isTerminated = true;
    }

    /**
     * Whether SIGTERM was sent from here to the group of this process; always false for a process that an agent on
     * another host has started.
     */
    public boolean isTerminated() {
        return isTerminated;
    }

    /** Has SIGKILL sent to this process alone, not to its children. */
    public void kill() {
        process.destroyForcibly();
    }
}
