package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.BindTo;
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.EndSequence;
import org.ulfmj.launch.end.ExitPolicy;
import org.ulfmj.launch.end.ExitText;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.host.JobReport;
import org.ulfmj.launch.host.JoinLedger;
import org.ulfmj.launch.office.FoundJob;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.output.ReportQueue;
import org.ulfmj.launch.output.StandardStreams;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.Guardian;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.options.WithoutSlot;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.ProcessStat;

/**
 * One run of {@code mpiexec --join}, or of {@code mpiexec --rdzv} if an elastic job of that URL is there already:
 * processes that join a job which another launcher of this host has started. The other launcher, or the elected
 * coordinator, has the rendezvous, and finds out by {@code /proc} when these processes end. This launcher starts them,
 * forwards their output, and answers for their exit codes. If this launcher is killed, its guardian ends them, unless
 * they may go on as orphans; the guardian of the job's launcher ends these processes too.
 */
final class JoiningJob implements DeathWatch.Findings, Suspension.Listener {
    /**
     * The environment variable by which this launcher's guardian recognizes the processes that this launcher has
     * started.
     */
    private static final String MARK = "MPIEXEC_JOINING";

    private static final int MARK_BYTES = 8;
    /** Stands for a number of members that is not known here; the job's own ledger says it. */
    private static final int UNKNOWN = -1;

    private static final int SIGNAL_BASE = 128;
    private static final long LOOK_NS = 50_000_000;

    /**
     * How long after the end of the job's launcher the processes may take to end by themselves, as they do at the job's
     * end.
     */
    private static final long AFTER_THE_JOB_NS = 1_000_000_000;

    private final LaunchRequest request;
    private final JobEvents events = new JobEvents();
    private final Report report;
    private final ReportQueue queue;
    private final Processes processes;
    private final Suspension suspension;
    private final DeathWatch watch;
    private final Binding binding;
    private final String mark = HexFormat.of().formatHex(RandomBytes.next(MARK_BYTES));

    /** The exit code of each process that has ended, by its number. */
    private final SortedMap<ProcessId, Integer> exitCodes = new TreeMap<>();

    private JobReport job;
    private boolean orphansContinue;
    /** Null as long as there is no reason to end the processes. */
    private EndSequence end;

    JoiningJob(LaunchRequest request) {
        this.request = request;
        StandardStreams streams = StandardStreams.open(events);
        queue = new ReportQueue(streams.err());
        report = new Report(queue, request.options().isVerbose());
        BindTo bindTo = request.bindTo() == BindTo.UNSAID ? BindTo.NONE : request.bindTo();
        binding = Binding.of(bindTo, request.cpuList(), request.size(), request.isJava());
        processes = new Processes(request, binding, streams.out(), streams.err(), events);
        suspension = new Suspension(processes, report, this);
        watch = new DeathWatch(
                this,
                Path.of(ProcessStat.PROC),
                Long.MAX_VALUE,
                request.options().graceNs());
    }

    /**
     * Runs the processes to their end and returns the exit code of {@code mpiexec}.
     *
     * @throws UsageException if there is no such job, or it cannot be joined from here
     * @throws IOException if this launcher cannot do its own part; no process that it has started is left then
     */
    int run() throws IOException {
        for (String warning : request.warnings()) {
            report.say(warning);
        }
        long timeoutNs = request.timeoutNs() == 0 ? Long.MAX_VALUE : System.nanoTime() + request.timeoutNs();
        FoundJob found = find(request.elastic());
        job = found.report();
        JobDirectory directory = JobDirectory.at(job.directory());
        Options options = JobConfiguration.read(directory.configuration()).options();
        orphansContinue = options.doOrphansContinue();
        requireTheSame(request.elastic(), options);
        Guardian guardian = guardian();
        boolean isClean = false;
        try {
            JoinLedger.State before = new JoinLedger(job.directory()).take(request.size());
            tellRoom(found.members() < 0 ? before.members() : found.members());
            watch.start();
            for (int i = 0; i < request.size() && end == null; i++) {
                start(Membership.child(before.given() + i), i, directory);
            }
            if (processes.streams() != null) {
                processes.streams().allStarted();
            }
            supervise(timeoutNs);
            isClean = end == null;
        } finally {
            watch.close();
            if (isClean) {
                guardian.dismiss();
            } else {
                guardian.sweep();
            }
        }
        FinalOutput output = new FinalOutput(processes, queue, events, suspension);
        decideIf(output.await(end != null && end.reason().isFromOutside(), timeoutNs));
        if (request.printExitCodes()) {
            exitCodes.forEach((child, code) -> report.say(title(child) + ": " + code));
            output.await(false, timeoutNs);
        }
        return exitCode();
    }

    private static FoundJob find(ElasticJob joining) {
        return joining.isJoiningByUrl()
                ? FoundJob.find(joining.isSecondRun() ? "--rdzv" : "--join", joining.joinFile())
                : new FoundJob(find(Path.of(joining.joinFile())), UNKNOWN);
    }

    /**
     * Throws if this is a second run of a command line that begins a job, and its -n or its options differ from those
     * of the job.
     */
    private void requireTheSame(ElasticJob joining, Options options) {
        if (!joining.isSecondRun()) {
            return;
        }
        String again = "--rdzv " + joining.joinFile() + ": the job runs already, and is one of ";
        if (joining.min() != job.min() || joining.max() != job.max()) {
            throw new UsageException(
                    again + "-n " + job.min() + ":" + job.max() + "; join it by the same, or by --join URL -n K");
        }
        if (options.hash() != request.options().hash()) {
            throw new UsageException(again + "other options; join it by the same, or by --join URL -n K");
        }
        report.say("the job runs already; its processes here join it");
    }

    /**
     * Finds the job that the file describes, and checks that the job's launcher has not ended and can see the processes
     * that are started here.
     */
    private static JobReport find(Path file) {
        String option = "--join " + file + ": ";
        JobReport job;
        try {
            job = JobReport.read(file);
        } catch (IOException e) {
            throw new UsageException(option + e.getMessage());
        }
        if (!job.launcher().sharesPidsWith(HostProcess.self())) {
            throw new UsageException(option + "its job runs on another host or in another container; processes join on"
                    + " the host of the job's mpiexec");
        }
        String over =
                option + "the job is over: its mpiexec, pid " + job.launcher().pid() + ", has ended";
        if (job.launcher().hasEndedWholly()) {
            throw new UsageException(ExitPolicy.LAUNCHER_FAILED, over);
        }
        Path secret = JobDirectory.at(job.directory()).secret();
        try {
            if (!Arrays.equals(JobSecret.read(secret).bytes(), job.secret().bytes())) {
                throw new UsageException(
                        ExitPolicy.LAUNCHER_FAILED, option + "the secret in it is not that of job " + job.runId());
            }
        } catch (IOException e) {
            throw new UsageException(
                    ExitPolicy.LAUNCHER_FAILED,
                    Files.exists(secret) ? option + e.getMessage() : over.replace("has ended", "is ending"));
        }
        return job;
    }

    private Guardian guardian() throws IOException {
        // This launcher itself has no directories.
        Path none = JobDirectory.pathFor("joining-" + mark, System.getenv());
        Precautions precautions = new Precautions(
                events,
                suspension,
                new Guardian.Mark(MARK, mark),
                none,
                none,
                orphansContinue,
                request.extras() == null ? List.of() : request.extras().signals());
        precautions.start();
        return precautions.await();
    }

    private void tellRoom(int members) {
        int room = job.max() - members;
        if (room < request.size()) {
            report.say((room <= 0
                            ? "the world is full"
                            : "the world has room for " + room + " of these " + request.size() + " processes")
                    + " (" + members + " of at most " + job.max() + " members); "
                    + (room <= 0 ? "what joins waits" : "the others wait") + " as spares until there is room");
        }
    }

    private void start(ProcessId child, int localRank, JobDirectory directory) {
        LaunchEnvironment place = new LaunchEnvironment(
                job.runId(),
                null,
                job.max(),
                localRank,
                request.size(),
                // The address at which the other processes of the job on this host can be reached.
                new HostPlace(0, 1, job.hostKey(), addressOf(job.address()), false),
                job.address(),
                directory.secret(),
                directory.configuration(),
                0,
                false,
                new WithoutSlot(Children.told(child), job.min(), job.max()));
        try {
            RankProcess process = processes.start(child, place, Map.of(MARK, mark));
            process.hasNoRank();
            watch.watch(process, request.command(child).isJava());
            report.detail(process.title() + " is pid " + process.pid());
        } catch (IOException e) {
            String message = "cannot start " + title(child) + ": " + e.getMessage();
            decide(new EndReason(EndReason.Kind.LAUNCHER, UsageException.NOT_EXECUTABLE, message));
        }
    }

    private static String addressOf(String hostAndPort) {
        return hostAndPort.substring(0, hostAndPort.lastIndexOf(':'));
    }

    private void supervise(long timeoutNs) {
        long endsAtNs = Long.MAX_VALUE;
        while (!processes.isEmpty()) {
            long nowNs = System.nanoTime();
            long dueNs =
                    Math.min(timeoutNs, Math.min(nowNs + LOOK_NS, end == null ? Long.MAX_VALUE : end.deadlineNs()));
            JobEvent event = events.take(dueNs - nowNs);
            if (event != null) {
                act(event);
            }
            nowNs = System.nanoTime();
            if (nowNs >= timeoutNs && end == null) {
                decide(EndReason.timeout());
            }
            if (endsAtNs == Long.MAX_VALUE && !orphansContinue && job.launcher().hasEndedWholly()) {
                endsAtNs = nowNs + AFTER_THE_JOB_NS;
            }
            if (nowNs >= endsAtNs && end == null && !processes.isEmpty()) {
                decide(EndReason.notFormed(
                        "the mpiexec of the job, pid " + job.launcher().pid() + ", has ended"));
            }
            if (end != null && act(end.due(nowNs), nowNs)) {
                return;
            }
        }
    }

    private void act(JobEvent event) {
        if (event instanceof JobEvent.Ended ended) {
            reaped(ended.process(), ended.exitCode());
        } else if (event instanceof JobEvent.Signalled signalled) {
            if (end == null) {
                decide(EndReason.signalled(signalled.name()));
            } else {
                end.hurry(System.nanoTime());
            }
        } else if (event instanceof JobEvent.OutputLost lost) {
            decide(lost.reason());
        } else if (event instanceof JobEvent.Noticed noticed) {
            report.say("got SIG" + noticed.name() + ", which only the job's own mpiexec passes on");
        } else if (event instanceof JobEvent.StopAsked) {
            report.say("got SIG" + Suspension.STOP + ", and the job would take stopped processes for dead; it goes on");
        }
    }

    /**
     * Takes a step that is due to end the processes. Returns whether it is useless to wait any longer for those that
     * are left.
     */
    private boolean act(EndSequence.Action action, long nowNs) {
        if (action == EndSequence.Action.DUMP) {
            processes.dumpStacks(false);
        } else if (action != null && action != EndSequence.Action.ASK) {
            processes.signal(
                    switch (action) {
                        case INTERRUPT -> "INT";
                        case TERMINATE -> "TERM";
                        default -> "KILL";
                    });
        }
        return end.isOver(nowNs);
    }

    private void reaped(RankProcess process, int exitCode) {
        if (!request.command(process.id()).isJava()) {
            // The command was a script, which has ended; the rank that it started must not outlive it.
            processes.killGroup(process);
        }
        processes.ended(process);
        exitCodes.put(process.id(), exitCode);
        if (exitCode != 0 && end == null) {
            report.say(title(process.id()) + " " + ExitText.of(exitCode));
        }
    }

    private static String title(ProcessId child) {
        return "process " + Children.told(child);
    }

    private void decideIf(EndReason reason) {
        if (reason != null) {
            decide(reason);
        }
    }

    private void decide(EndReason reason) {
        if (end == null) {
            report.say(reason.message() + "; ending the processes that were started here");
            end = new EndSequence(
                    reason, false, request.isAnyJava(), request.options().graceNs(), System.nanoTime());
        }
    }

    private int exitCode() {
        EndReason.Kind kind = end == null ? EndReason.Kind.DONE : end.reason().kind();
        return switch (kind) {
            case TIMEOUT -> ExitPolicy.TIMED_OUT;
            case SIGNAL -> SIGNAL_BASE + end.reason().code();
            case LAUNCHER -> end.reason().code();
            default -> ofProcesses();
        };
    }

    /** Returns the exit code of the process with the lowest number whose code is not 0; 0 if there is none. */
    private int ofProcesses() {
        for (int code : exitCodes.values()) {
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }

    @Override
    public void died(RankProcess process, int exitCode) {
        // The job's own launcher sees this death too, and tells the members.
    }

    @Override
    public void ended(RankProcess process, int exitCode) {
        events.accept(new JobEvent.Ended(process, exitCode));
    }

    @Override
    public void unreaped(RankProcess process) {
        // The watch of this launcher has no limit after which it would report that.
    }

    @Override
    public void looked(RankProcess process, char state, boolean isKillPending) {
        // The launcher of the job looks itself.
    }

    @Override
    public void stopping() {
        // Stopping this launcher stops no other part of the job.
    }

    @Override
    public boolean hasOtherHosts() {
        return false;
    }

    @Override
    public boolean mayBeCoordinatedElsewhere() {
        // The answer does not matter: nothing of the job is stopped together with this launcher.
        return true;
    }

    @Override
    public void continued() {
        // Nothing to do: nothing of the job was stopped together with this launcher.
    }
}
