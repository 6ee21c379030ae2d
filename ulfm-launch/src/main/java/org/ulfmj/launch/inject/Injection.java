package org.ulfmj.launch.inject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.InjectOptions;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.end.ProcessOutcome;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.runtime.inject.PlannedFault;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * The plan of faults of a job: drawn before any process is started, written down, carried out by the {@link Injector},
 * and compared with {@code --expect} at the end. Used by the launcher's main thread.
 */
public final class Injection {
    /** The exit code of mpiexec when the job did not do what {@code --expect} demands. */
    public static final int UNEXPECTED = 121;

    private static final String PLAN = "inject.plan";

    private final LaunchRequest request;
    private final Report report;
    private final InjectOptions options;
    private final List<PlannedFault> faults;
    private final InjectJournal journal;
    private final Injector injector;

    public Injection(LaunchRequest request, Report report, Injector.Executioner executioner) {
        this.request = request;
        this.report = report;
        this.options = request.extras() == null ? null : request.extras().injecting();
        this.faults = Injector.draw(request.plan(), request.seed(), report);
        this.journal = wantsMarks() ? openJournal() : null;
        this.injector = new Injector(faults, report, executioner, journal);
    }

    private boolean wantsMarks() {
        return options != null && options.wantsMarks();
    }

    private InjectJournal openJournal() {
        try {
            return new InjectJournal(
                    options.logFile(), request.options().timing().linkBudgetNs());
        } catch (IOException e) {
            throw new UsageException("--inject-log: cannot write " + options.logFile());
        }
    }

    public Injector injector() {
        return injector;
    }

    public Map<Integer, List<FaultTrigger>> triggers() {
        return Injector.triggers(faults, request.size(), wantsMarks());
    }

    /** The rules that processes need to know. */
    public Map<Integer, String> rules(HostWords hosts) {
        return Injector.rulesOfProcesses(faults, hosts, wantsMarks());
    }

    /**
     * Writes the plan, if it has any fault, with all random choices made, into the job's directory and to the file that
     * the user named, if any.
     */
    public void writePlan(Path directory) throws IOException {
        if (faults.isEmpty()) {
            return;
        }
        List<String> lines = new ArrayList<>();
        for (PlannedFault fault : faults) {
            lines.add(fault.toString());
        }
        Files.write(directory.resolve(PLAN), lines);
        if (options != null && options.planFile() != null) {
            Files.write(Path.of(options.planFile()), lines);
        }
    }

    public void died(RankProcess process) {
        if (process.id() != null) {
            injector.died(process.id(), System.nanoTime());
        }
    }

    /**
     * Prints the report if the user asked for it. Returns the exit code of mpiexec: the given one, or
     * {@link #UNEXPECTED} if {@code --expect} is not met.
     */
    public int judge(int exitCode, List<ProcessOutcome> outcomes) {
        if (journal == null) {
            return exitCode;
        }
        journal.close();
        SortedSet<Integer> dead = new TreeSet<>();
        for (ProcessOutcome outcome : outcomes) {
            boolean hasFailed = outcome.isHeldForFailed() || outcome.exitCode() != 0 && !outcome.isEndedByLauncher();
            if (hasFailed) {
                dead.add(outcome.process().slot());
            }
        }
        if (options.reports()) {
            report.page("what came of the plan", journal.report(dead));
        }
        if (options.expected() == null) {
            return exitCode;
        }
        List<String> differences = journal.differences(options.expected(), exitCode, dead);
        for (String difference : differences) {
            report.say(difference);
        }
        return differences.isEmpty() ? exitCode : UNEXPECTED;
    }
}
