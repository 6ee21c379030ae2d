package org.ulfmj.launch.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.runtime.options.Options;

/**
 * Checks a machine and its settings, and says what should be changed before a job is started. Starts no process, except
 * where it has to check other hosts too.
 */
public final class Doctor {
    private static final int MOST_RANKS = 4096;
    private static final String DEFAULT_SHM = "/dev/shm";

    /** Options by which a user names the hosts of a job. */
    private static final List<String> HOST_OPTIONS = List.of(
            "--host",
            "-host",
            "-H",
            "--hosts",
            "-hosts",
            "--hostfile",
            "-hostfile",
            "--machinefile",
            "-machinefile",
            "-f");

    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param environment of the launcher
     * @param cache the directory of archives; null if there is none
     * @param jobs where the directories of jobs are made
     * @param arguments what stands behind the command's name: nothing, or the number of ranks of the job to come, also
     *     behind {@code -n}; or options about hosts, as on a job's command line
     * @throws UsageException if the arguments are of another form
     */
    public Doctor(
            Installation installation, Map<String, String> environment, Path cache, Path jobs, List<String> arguments) {
        this(installation, environment, cache, jobs, arguments, Path.of("/"));
    }

    Doctor(
            Installation installation,
            Map<String, String> environment,
            Path cache,
            Path jobs,
            List<String> arguments,
            Path root) {
        int processors = Runtime.getRuntime().availableProcessors();
        boolean isOfHosts = arguments.stream().anyMatch(HOST_OPTIONS::contains);
        int ranks = isOfHosts ? processors : ranks(arguments, processors);
        findings.addAll(new SettingChecks(installation, environment).all(cache, jobs));
        findings.addAll(new MachineChecks(new SystemFiles(root), ranks, processors).all(sharedMemory(environment)));
        if (isOfHosts) {
            findings.addAll(HostChecks.all(installation, environment, arguments));
        }
    }

    private static int ranks(List<String> arguments, int otherwise) {
        if (arguments.isEmpty()) {
            return otherwise;
        }
        String text = arguments.get(arguments.size() - 1);
        boolean isKnown = arguments.size() == 1
                || arguments.size() == 2 && arguments.get(0).equals("-n");
        if (isKnown
                && text.matches("[0-9]{1,4}")
                && Integer.parseInt(text) > 0
                && Integer.parseInt(text) <= MOST_RANKS) {
            return Integer.parseInt(text);
        }
        throw new UsageException("doctor: '" + String.join(" ", arguments)
                + "' is not allowed; allowed: the number of ranks that you want to start, 1 to " + MOST_RANKS
                + ", or --host and other options about hosts");
    }

    private static Path sharedMemory(Map<String, String> environment) {
        try {
            return Options.of(Options.fromEnvironment(environment)).shmDirectory();
        } catch (IllegalArgumentException wrong) {
            return Path.of(DEFAULT_SHM); // the check of the options tells what is wrong
        }
    }

    /** Whether something should be changed. */
    public boolean hasAdvice() {
        return findings.stream().anyMatch(finding -> finding.advice() != null);
    }

    /** The report: a line for each finding, then one that says whether there is advice, then a line for each advice. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Finding finding : findings) {
            lines.add(finding.what() + ": " + finding.found());
        }
        lines.add(hasAdvice() ? "to change:" : "nothing to change");
        for (Finding finding : findings) {
            if (finding.advice() != null) {
                lines.add("  " + finding.what() + ": " + finding.advice());
            }
        }
        return lines;
    }
}
