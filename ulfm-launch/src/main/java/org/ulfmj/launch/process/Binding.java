package org.ulfmj.launch.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.BindTo;
import org.ulfmj.launch.program.StartCommand;

/**
 * Which cores each rank may use, set by the {@code taskset} of util-linux. With binding, the i-th rank of this host may
 * use the i-th core or group of cores of those that {@code mpiexec} itself may use, counted round, or the i-th entry of
 * the user's list; without binding, any core. Immutable.
 *
 * <p>An early binding ends some seconds after a rank's start at the latest. It is for ranks of which each has a core,
 * where there are not cores enough for their compiler threads too. Compilers work for most of a rank's first second or
 * two, and the system's scheduler may then put two ranks that exchange messages on one core and their compilers on the
 * other: a message takes milliseconds there. A bound rank, which shares its core with no other rank, loses at most half
 * of it to its own compilers.
 */
public final class Binding {
    public static final Binding NONE = new Binding(null, List.of(), null, false, false);

    private static final List<String> KNOWN = List.of("/usr/bin/taskset", "/bin/taskset");
    /** The highest number of cores for which a Linux kernel may be built. */
    private static final int MOST_CORES = 1 << 13;

    private static final String STATUS = "/proc/self/status";
    private static final String ALLOWED = "Cpus_allowed_list:";

    private final String taskset;
    private final List<Integer> cores;
    /**
     * The processors of each rank, in the form that taskset takes, used in turn; null if the i-th rank of this host has
     * the i-th of {@link #cores}.
     */
    private final List<String> sets;
    /** Whether each rank has a core or an entry of {@link #sets} for itself. */
    private final boolean isExclusive;

    private final boolean isEarly;

    private Binding(String taskset, List<Integer> cores, List<String> sets, boolean isExclusive, boolean isEarly) {
        this.taskset = taskset;
        this.cores = cores;
        this.sets = sets;
        this.isExclusive = isExclusive;
        this.isEarly = isEarly;
    }

    /**
     * The binding of the ranks of a job.
     *
     * @param cpuList the processors that the user names; null if {@code --bind-to} does not name any
     * @param isJava whether each rank is a Java virtual machine that the launcher starts itself; otherwise there is no
     *     early binding
     * @throws UsageException if the user asks for a binding, and there is no {@code taskset}, the system does not tell
     *     the cores or how they belong together, the list of processors is wrong, or there are fewer cores, hardware
     *     threads or entries of the list than ranks; ranks may share sockets, memory nodes and caches
     */
    public static Binding of(BindTo bindTo, String cpuList, int size, boolean isJava) {
        if (bindTo == BindTo.NONE) {
            return NONE;
        }
        if (bindTo == BindTo.UNSAID) {
            return isJava
                    ? early(size, taskset(), allowed(), Runtime.getRuntime().availableProcessors())
                    : NONE;
        }
        return lasting(bindTo, cpuList, size);
    }

    private static Binding lasting(BindTo bindTo, String cpuList, int size) {
        String option = "--bind-to " + nameOf(bindTo);
        String taskset = taskset();
        if (taskset == null) {
            throw new UsageException(option + ": it needs taskset, which is not here (Debian: apt install util-linux);"
                    + " use --bind-to none");
        }
        List<Integer> allowed = allowed();
        if (allowed.isEmpty()) {
            throw new UsageException(
                    option + ": " + STATUS + " does not tell which cores may be used; use --bind-to none");
        }
        return cpuList == null
                ? toGroups(bindTo, size, taskset, allowed, new CpuGroups(CpuGroups.SYS))
                : toList(cpuList, size, taskset, allowed);
    }

    private static String nameOf(BindTo bindTo) {
        return bindTo.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Binding toGroups(BindTo bindTo, int size, String taskset, List<Integer> allowed, CpuGroups groups) {
        List<String> sets = groups.of(bindTo, allowed);
        String name = nameOf(bindTo);
        if (sets.isEmpty()) {
            throw new UsageException("--bind-to " + name + ": " + CpuGroups.SYS
                    + " does not tell which processors belong to one; use --bind-to hwthread or none");
        }
        boolean isExclusive = bindTo == BindTo.CORE || bindTo == BindTo.HWTHREAD;
        if (isExclusive && size > sets.size()) {
            throw new UsageException("--bind-to " + name + ": " + size + " ranks, but mpiexec may use " + sets.size()
                    + " " + name + (sets.size() == 1 ? "" : "s") + "; start at most " + sets.size()
                    + ", or use --bind-to none");
        }
        return new Binding(taskset, allowed, sets, isExclusive, false);
    }

    /**
     * The binding to a list of processors as {@code 0,4-6,8+9}: the i-th rank of this host has the i-th processor of
     * the list, where a range counts as each of its processors, and processors joined by a plus count as one.
     */
    static Binding toList(String cpuList, int size, String taskset, List<Integer> allowed) {
        String option = "--bind-to cpu-list:" + cpuList;
        List<String> sets = new ArrayList<>();
        try {
            for (String word : cpuList.split(",", -1)) {
                if (word.isEmpty()) {
                    throw new NumberFormatException("no processor");
                }
                List<Integer> processors = parse(word.replace('+', ','));
                for (int processor : processors) {
                    if (!allowed.contains(processor)) {
                        throw new UsageException(
                                option + ": processor " + processor + " may not be used; allowed: " + joined(allowed));
                    }
                }
                if (word.indexOf('+') >= 0) {
                    sets.add(joined(processors));
                } else {
                    processors.forEach(processor -> sets.add(processor.toString()));
                }
            }
        } catch (NumberFormatException e) {
            throw new UsageException(option + ": is no list of processors; write one as cpu-list:0,4-6,8+9");
        }
        if (size > sets.size()) {
            throw new UsageException(option + ": " + size + " ranks, but the list has " + sets.size()
                    + (sets.size() == 1 ? " entry" : " entries") + "; start at most " + sets.size());
        }
        return new Binding(taskset, allowed, sets, true, false);
    }

    private static String taskset() {
        for (String taskset : KNOWN) {
            if (Files.isExecutable(Path.of(taskset))) {
                return taskset;
            }
        }
        return null;
    }

    /**
     * An early binding, which is {@linkplain #release released} some seconds after a rank's start at the latest;
     * {@link #NONE} without {@code taskset}, and where it is of no use: for one rank, for more ranks than cores or
     * processors, or where there are two processors or more per rank.
     *
     * @param taskset the path of the command; null if there is none
     * @param cores that may be used; empty if that is not known
     * @param processors the number of processors whose time the job may use: fewer than cores where a container has a
     *     quota
     */
    static Binding early(int size, String taskset, List<Integer> cores, int processors) {
        boolean isScarce = size <= processors && processors < 2 * size;
        return taskset != null && size > 1 && isScarce && size <= cores.size()
                ? new Binding(taskset, cores, null, true, true)
                : NONE;
    }

    /** Whether each rank has processors for itself, unless the user's list names one twice. */
    public boolean isToCores() {
        return isExclusive;
    }

    /** Whether processes are to be released. */
    public boolean isEarly() {
        return isEarly;
    }

    /**
     * Options for the virtual machine of a rank. With an early binding, the virtual machine is told the number of
     * processors that it has after its release; else it would count the single core to which it is bound.
     */
    public List<String> javaOptions() {
        return isEarly
                ? List.of("-XX:ActiveProcessorCount=" + Runtime.getRuntime().availableProcessors())
                : List.of();
    }

    /** The words of {@code taskset} that stand before the command of a rank; empty without binding. */
    public List<String> prefix(int rank) {
        return taskset == null ? List.of() : List.of(taskset, "-c", set(rank));
    }

    /** The processors of a rank, in the form that {@code taskset} takes. */
    private String set(int rank) {
        return sets == null ? Integer.toString(cores.get(rank % cores.size())) : sets.get(rank % sets.size());
    }

    /** The processors of a rank, in words. */
    public String describe(int rank) {
        return taskset == null
                ? "any processor"
                : (set(rank).matches("[0-9]+") ? "processor " : "processors ")
                        + set(rank)
                        + (isEarly ? " in its first seconds" : "");
    }

    /**
     * The words that start a command with this binding.
     *
     * @param rank which of the ranks of this host it is, from 0; negative for a spare, which is not bound before it
     *     takes a slot
     */
    public List<String> words(StartCommand command, int rank) {
        if (rank < 0) {
            return command.words();
        }
        List<String> words = new ArrayList<>(prefix(rank));
        words.addAll(command.withJavaOptions(javaOptions()).words());
        return words;
    }

    /**
     * Begins to bind a running process with all its threads, if there is a lasting binding. Has no effect with an early
     * binding, or if the process has ended.
     */
    public void bind(long pid, int rank) {
        if (taskset != null && !isEarly) {
            set(pid, set(rank));
        }
    }

    /**
     * Begins to let a running process with all its threads use all cores that mpiexec may use. It does not fail if the
     * process is gone.
     */
    public void release(long pid) {
        set(pid, joined(cores));
    }

    private static String joined(List<Integer> processors) {
        StringJoiner all = new StringJoiner(",");
        for (Integer processor : processors) {
            all.add(processor.toString());
        }
        return all.toString();
    }

    private void set(long pid, String list) {
        List<String> command = List.of(taskset, "-a", "-c", "-p", list, Long.toString(pid));
        try {
            new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // Without taskset the process keeps the cores that it has, which costs some speed and has no other effect.
        }
    }

    /** The cores that this process may use; empty if the system does not tell. */
    private static List<Integer> allowed() {
        try (FileInputStream status = new FileInputStream(STATUS)) {
            String text = new String(status.readAllBytes(), StandardCharsets.ISO_8859_1);
            for (String line : text.split("\n")) {
                if (line.startsWith(ALLOWED)) {
                    return parse(line.substring(ALLOWED.length()).trim());
                }
            }
        } catch (IOException | NumberFormatException unknown) {
            // The list below says it.
        }
        return List.of();
    }

    /**
     * Parses a list of cores as the kernel writes it: {@code 0-2,7}. An empty text is an empty list, as of a memory
     * node without processors.
     *
     * @throws NumberFormatException if the text is no such list, or has more or higher cores than a kernel may have
     */
    public static List<Integer> parse(String list) {
        List<Integer> cores = new ArrayList<>();
        if (list.isEmpty()) {
            return cores;
        }
        for (String range : list.split(",", -1)) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            if (last < first) {
                throw new NumberFormatException("a range from " + first + " down to " + last);
            }
            if (last >= MOST_CORES) {
                throw new NumberFormatException("core " + last + ", fewer than " + MOST_CORES + " are possible");
            }
            if (last - first >= MOST_CORES - cores.size()) {
                throw new NumberFormatException("more than " + MOST_CORES + " cores");
            }
            for (int core = first; core <= last; core++) {
                cores.add(core);
            }
        }
        return cores;
    }
}
