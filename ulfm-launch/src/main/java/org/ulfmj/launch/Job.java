package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.ExitPolicy;
import org.ulfmj.launch.end.ProcessOutcome;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.host.EarlyBinding;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.host.JobReport;
import org.ulfmj.launch.hosts.JobHostNames;
import org.ulfmj.launch.inject.Injection;
import org.ulfmj.launch.inject.Injector;
import org.ulfmj.launch.office.LauncherOffice;
import org.ulfmj.launch.output.RankStreams;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.output.ReportQueue;
import org.ulfmj.launch.output.StandardStreams;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.Guardian;
import org.ulfmj.launch.process.QuitSignal;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.replacement.Replacements;
import org.ulfmj.runtime.inject.HostNames;
import org.ulfmj.runtime.office.FinalizeNotes;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.LauncherProcess;
import org.ulfmj.runtime.process.ThisLauncher;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.ProcessStat;
import org.ulfmj.transport.host.SystemReason;
import org.ulfmj.transport.shm.ShmDirectory;
import org.ulfmj.transport.shm.ShmSweeper;

/**
 * One run of {@code mpiexec} from the first process to the exit code. The events of the job come through one queue, and
 * the thread that called {@link #run} acts on them.
 */
final class Job implements DeathWatch.Findings, Suspension.Listener, JobActions.Hosts {
    private static final int RUN_ID_BYTES = 5;

    private final LaunchRequest request;
    private final boolean isFaultTolerant;
    private final Binding binding;
    private final EarlyBinding early;
    private final String runId = HexFormat.of().formatHex(RandomBytes.next(RUN_ID_BYTES));
    private final JobSecret secret;
    private final long hostKey = RandomBytes.nextLong();
    private final JobEvents events = new JobEvents();
    private final Report report;
    private final FinalOutput finalOutput;
    private final JobLedger ledger;
    private final Processes processes;
    private final Injection injection;
    private final Injector injector;
    private final DeathWatch watch;
    private final Starter starter;
    private final Replacements replacements;
    private final LostProcesses losses;
    /** Null in a static job. */
    private final Joiners joiners;

    /** Starts and ends processes as slots are discovered and lost; null in a job whose slots are not discovered. */
    private final SlotKeeper slots;

    private final WaitSurvey survey;
    /** The watch for hung ranks; null unless the job has a limit after which a program counts as hung. */
    private final HangWatch hangs;

    private final Suspension suspension;
    private final JobEnd end;
    private final JobActions actions;

    /** The agents of other hosts; null in a job on one host. */
    private final Agents agents;

    /**
     * Whether the start of the first processes has begun, for which all other hosts must have their agents; not used if
     * slots are discovered.
     */
    private boolean mayStart;

    private JobDirectory directory;

    /** Set before the watch starts. */
    private MeetingPoint meeting;

    Job(LaunchRequest request, Installation ours) {
        this.request = request;
        secret = request.rdzv() == null ? JobSecret.random() : LauncherOffice.secret("--rdzv", request.rdzv());
        isFaultTolerant = request.options().isFaultTolerant();
        long unreapedNs = request.options().timing().detectorTimeoutNs() / 2;
        watch = new DeathWatch(
                this,
                Path.of(ProcessStat.PROC),
                isFaultTolerant ? unreapedNs : Long.MAX_VALUE,
                request.options().graceNs());
        binding = Binding.of(request.bindTo(), request.cpuList(), request.size(), request.isJava());
        early = new EarlyBinding(binding);
        StandardStreams streams = StandardStreams.open(events);
        ReportQueue queue = new ReportQueue(streams.err());
        report = new Report(queue, request.options().isVerbose());
        ElasticJob elastic = request.elastic();
        ledger = elastic == null
                ? new JobLedger(request.size(), isFaultTolerant)
                : new JobLedger(new Membership(
                        atOnce(), elastic.min(), elastic.reportFile() != null || request.rdzv() != null));
        processes = new Processes(request, binding, streams.out(), streams.err(), events);
        survey = new WaitSurvey(ledger, processes, WaitSurvey.Answers.printedBy(report), 0);
        suspension = new Suspension(processes, report, this);
        finalOutput = new FinalOutput(processes, queue, events, suspension);
        injection = new Injection(request, report, processes);
        injector = injection.injector();
        starter = new Starter(request, binding, early, processes, ledger, watch, injector, report);
        replacements = starter.replacements();
        joiners = elastic == null ? null : new Joiners(elastic, ledger, processes, watch, report);
        losses = new LostProcesses(ledger, processes, starter, injector, report, request);
        agents = agents(ours);
        slots = !isDiscovering(elastic)
                ? null
                : new SlotKeeper(
                        request, ledger, processes, starter, joiners, events, report, new FoundHosts(agents, report));
        boolean hasLeases = leaseNs() > 0;
        LostHosts lostHosts = agents == null
                ? null
                : new LostHosts(
                        agents,
                        processes,
                        ledger,
                        starter,
                        report,
                        hasLeases,
                        request.options().needsMajority());
        end = new JobEnd(request, report, ledger, processes, replacements, survey);
        actions = new JobActions(
                new JobParts(
                        request,
                        events,
                        report,
                        ledger,
                        processes,
                        injection,
                        watch,
                        early,
                        starter,
                        losses,
                        lostHosts,
                        joiners,
                        slots,
                        new Verdicts(processes, ledger, report),
                        survey,
                        suspension,
                        finalOutput,
                        end),
                this);
        hangs = HangWatch.of(request.options(), ledger, processes, actions);
    }

    private static boolean isDiscovering(ElasticJob elastic) {
        return elastic != null && elastic.discovery() != null;
    }

    /** Null in a job on one host. */
    private Agents agents(Installation ours) {
        if (isDiscovering(request.elastic()) && Agents.canReachThis(request.options())) {
            return Agents.discovering(request, ours, runId, secret, hostEvents());
        }
        return request.hosts() == null ? null : new Agents(request, request.hosts(), ours, runId, secret, hostEvents());
    }

    private HostEvents hostEvents() {
        return new HostEvents(this, events, () -> meeting);
    }

    /**
     * Runs the job and returns the exit code of {@code mpiexec}.
     *
     * @throws IOException if the launcher cannot do its own part; the processes that it has started are ended then
     */
    int run() throws IOException {
        for (String warning : request.warnings()) {
            report.say(warning);
        }
        end.begin(System.nanoTime());
        Path path = JobDirectory.pathFor(runId, System.getenv());
        Path shmBase = request.options().shmDirectory();
        Path shmPath = ShmDirectory.pathFor(shmBase, runId);
        Guardian guardian = openWithGuardian(path, shmPath);
        QuitSignal quit = QuitSignal.watch(events.putting(new JobEvent.AskedForWaits()));
        boolean isClean = false;
        try {
            directory = JobDirectory.create(path);
            ShmDirectory sharedFiles = createForSharedFiles(shmPath);
            prepare();
            // In a job on one host whose slots are not discovered, the processes are starting up at this time, so
            // sweeping the files of dead jobs delays none of them.
            ShmSweeper.sweep(shmBase);
            superviseUntilAllEnded();
            if (slots != null) {
                slots.close(); // its command writes into the directory
            }
            if (agents != null && !end.isDecided()) {
                // Agents that are told to end may drop output that they have not forwarded yet, so the output is
                // awaited first.
                awaitOutput();
            }
            if (!end.isDecided() && processes.isEmpty()) {
                directory.remove();
                if (sharedFiles != null) {
                    sharedFiles.remove();
                }
                isClean = true;
            }
        } finally {
            quit.close();
            watch.close();
            if (slots != null) {
                slots.close();
            }
            if (joiners != null) {
                joiners.close();
            }
            leaveNothing(isClean, guardian);
        }
        awaitOutput();
        injector.finish();
        tellVerdict();
        awaitOutput();
        int exitCode = ExitPolicy.exitCode(ledger.outcomes(), isFaultTolerant, end.reason());
        int judged = injection.judge(exitCode, ledger.outcomes());
        awaitOutput();
        return judged;
    }

    private void awaitOutput() {
        boolean isEndedFromOutside = end.isDecided() && end.reason().isFromOutside();
        end.decideIf(finalOutput.await(isEndedFromOutside, end.timeoutNs()));
    }

    /**
     * Opens the rendezvous while the guardian is being started, because each of the two takes some milliseconds.
     * Returns the guardian.
     */
    private Guardian openWithGuardian(Path path, Path shmPath) throws IOException {
        Precautions precautions = new Precautions(
                events,
                suspension,
                Guardian.Mark.ofHost(hostKey),
                path,
                shmPath,
                agents == null
                        ? request.options().doOrphansContinue()
                        : request.options().doOrphansContinueApart(),
                request.extras() == null ? List.of() : request.extras().signals());
        precautions.start();
        String address = agents == null ? HostPlace.LOOPBACK : agents.bindAddress();
        if (request.rdzv() != null) {
            meeting = MeetingPoint.openElected(
                    request.rdzv(), runId, request.size(), request.elastic(), request.options(), secret, events);
            if (request.elastic() != null) {
                meeting.read(new FinalizeNotes(path));
            }
            return precautions.await();
        }
        meeting = joiners != null
                ? MeetingPoint.open(runId, request.elastic(), request.options(), leaseNs(), secret, address, events)
                : MeetingPoint.open(
                        runId,
                        request.size(),
                        request.options(),
                        leaseNs(),
                        request.hosts() != null && request.options().needsMajority(),
                        request.restarts(),
                        secret,
                        address,
                        events);
        return precautions.await();
    }

    /** V15: returns the lease of processes on other hosts; 0 if the job can have no other hosts, or has no leases. */
    private long leaseNs() {
        return agents == null ? 0 : request.options().processLeaseNs();
    }

    /**
     * Creates the directory for files of shared memory. Null if it is not wanted or cannot be created: the processes
     * then use TCP.
     */
    private ShmDirectory createForSharedFiles(Path path) {
        boolean isWanted =
                request.options().usesSharedMemory() && request.options().shmMaxBytes() > 0;
        if (!isWanted || !Files.isDirectory(path.getParent())) {
            report.detail("no shared memory");
            return null;
        }
        try {
            return ShmDirectory.create(path);
        } catch (IOException refused) {
            report.say("no shared memory, the processes use TCP: " + SystemReason.of(refused));
            return null;
        }
    }

    private void prepare() throws IOException {
        try {
            writeFiles();
        } catch (IOException e) {
            Path path = directory.configuration().getParent();
            throw new IOException("cannot write to " + path + ": " + SystemReason.withoutPath(e), e);
        }
        losses.prepare(meeting);
        end.prepare(meeting);
        actions.prepare(meeting, hangs);
        processes.prepare(meeting, agents);
        if (joiners != null) {
            openForJoiners();
        }
        watch.start();
        Path path = directory.configuration().getParent();
        if (slots != null) {
            if (agents != null) {
                Path ofOthers = path.resolve("conf.others");
                configuration(LauncherProcess.UNKNOWN).write(ofOthers);
                agents.prepare(meeting.server().port(), path, Files.readString(ofOthers));
            }
            starter.prepare(runId, HostMap.ofDiscovered(here(), request.size(), agents), directory, meeting);
            slots.begin(hostKey, path, System.nanoTime());
        } else if (agents == null) {
            start(HostMap.ofOneHost(here(), request.size()));
        } else {
            agents.prepare(meeting.server().port(), path, Files.readString(directory.configuration()));
            agents.start();
        }
    }

    /** Returns the launcher's host as its own processes are told it before agents of other hosts have called. */
    private HostPlace here() {
        return agents == null
                ? HostPlace.only(hostKey)
                : new HostPlace(0, 1, hostKey, agents.likeliestAddress(), false);
    }

    /** Writes the files that the processes of the job read, and the plan of faults, if there is one. */
    private void writeFiles() throws IOException {
        secret.write(directory.secret());
        // On another host the launcher's process cannot be watched, and the same pid may be another process. So in a
        // job on several hosts the launcher is named as unknown here, unless the hosts are discovered.
        configuration(agents == null || slots != null ? ThisLauncher.read() : LauncherProcess.UNKNOWN)
                .write(directory.configuration());
        injection.writePlan(directory.configuration().getParent());
    }

    private JobConfiguration configuration(LauncherProcess self) {
        return new JobConfiguration(
                request.options(), injection.triggers(), injection.rules(this), self, request.rdzv());
    }

    @Override
    public Set<String> wordsOf(String host) {
        int index = JobHostNames.indexOf(host);
        if (index >= 0 && !agents.isHere(index)) {
            return Set.of(HostNames.wordOf(agents.keyOf(index)));
        }
        return Set.of(HostNames.LAUNCHER, HostNames.wordOf(hostKey));
    }

    private void openForJoiners() {
        ElasticJob elastic = request.elastic();
        joiners.open(
                new JobReport(
                        runId,
                        here().address() + ":" + meeting.server().port(),
                        hostKey,
                        elastic.min(),
                        elastic.max(),
                        directory.configuration().getParent(),
                        HostProcess.self(),
                        secret),
                atOnce(),
                request.rdzv() == null ? null : meeting);
    }

    /**
     * Returns how many processes are started at once; 0 if slots are discovered, as all processes are started later
     * then.
     */
    private int atOnce() {
        return isDiscovering(request.elastic()) ? 0 : request.size();
    }

    @Override
    public boolean hasOtherHosts() {
        return request.hosts() != null || agents != null && agents.count() > 1;
    }

    @Override
    public boolean mayBeCoordinatedElsewhere() {
        return request.rdzv() != null && request.elastic() != null;
    }

    @Override
    public void startOnHosts(String address) {
        HostPlace here = new HostPlace(0, request.hosts().hosts().size(), hostKey, address, false);
        start(HostMap.of(here, request.size(), request.hosts(), agents));
    }

    /** Starts the first process of each slot. */
    private void start(HostMap hosts) {
        mayStart = true;
        starter.prepare(runId, hosts, directory, meeting);
        RankStreams streams = processes.streams();
        if (streams != null) {
            streams.open(request.size());
        }
        for (int slot = 0; slot < request.size() && !end.isDecided(); slot++) {
            try {
                starter.startFirst(slot);
            } catch (IOException e) {
                String which = joiners == null ? "cannot start rank " + slot : "cannot start process " + (slot + 1);
                String message = which + ": " + SystemReason.of(e);
                end.decide(new EndReason(EndReason.Kind.LAUNCHER, UsageException.NOT_EXECUTABLE, message));
            }
        }
        if (streams != null) {
            streams.allStarted();
        }
    }

    private void superviseUntilAllEnded() {
        while (!hasBegun() || !ledger.haveAllEnded() || !processes.isEmpty()) {
            JobEvent event = next();
            if (event != null) {
                event.tell(actions);
            }
            long nowNs = System.nanoTime();
            injector.tick(nowNs);
            replacements.tick(nowNs);
            early.tick(nowNs);
            survey.tick(nowNs);
            meeting.tick(nowNs);
            if (hangs != null) {
                hangs.tick(nowNs);
            }
            if (slots != null && !end.isUnderWay()) {
                end.decideIf(slots.tick(nowNs));
            }
            if (hasBegun()) {
                end.tidyIfOver(nowNs);
            }
            if (end.tick(nowNs) || end.isUnderWay() && !hasBegun()) {
                return;
            }
        }
    }

    /** Whether the first processes have been started, or need not be started because the world runs already. */
    private boolean hasBegun() {
        return slots == null ? mayStart : slots.hasBegun();
    }

    /** Waits for the next event and returns it; null if a deadline passes first. */
    private JobEvent next() {
        long dueNs = Math.min(Math.min(injector.deadlineNs(), survey.deadlineNs()), replacements.deadlineNs());
        dueNs = Math.min(dueNs, early.deadlineNs());
        dueNs = Math.min(dueNs, meeting.deadlineNs());
        dueNs = hangs == null ? dueNs : Math.min(dueNs, hangs.deadlineNs());
        dueNs = slots == null || end.isUnderWay() ? dueNs : Math.min(dueNs, slots.deadlineNs());
        dueNs = Math.min(dueNs, end.deadlineNs());
        return events.take(dueNs == Long.MAX_VALUE ? dueNs : dueNs - System.nanoTime());
    }

    /**
     * Puts a death into the queue of events. In a job with fault tolerance whose world runs, the rendezvous is told
     * first, on the thread that found the death, unless it is that of a spare without a place: the survivors wait for
     * the news, and each further thread on the way would need a turn on a busy core. The rendezvous may be told of a
     * death twice.
     */
    @Override
    public void died(RankProcess process, int exitCode) {
        ProcessId dead = process.id();
        if (dead != null && isFaultTolerant && meeting.isFormed()) {
            meeting.ended(dead, LostProcesses.DEAD);
        }
        events.accept(new JobEvent.Died(process, exitCode));
    }

    @Override
    public void ended(RankProcess process, int exitCode) {
        events.accept(new JobEvent.Ended(process, exitCode));
    }

    @Override
    public void unreaped(RankProcess process) {
        events.accept(new JobEvent.Unreaped(process));
    }

    /**
     * Cuts off the other hosts, whose ranks may go on without this launcher: nothing that it says must reach them if
     * the network comes back.
     */
    @Override
    public void partFromOtherHosts() {
        meeting.close();
        agents.part();
    }

    @Override
    public void looked(RankProcess process, char state, boolean isKillPending) {
        meeting.looked(process, state, isKillPending);
    }

    /**
     * Called when the launcher is about to stop the ranks: suspends the judge of silences, since a stopped rank must
     * not be judged as silent.
     */
    @Override
    public void stopping() {
        meeting.server().suspendJudging();
    }

    /**
     * Called when the launcher got SIGCONT, and the ranks that it had stopped, if any, run again: the measurement of
     * each rank's silence begins anew.
     */
    @Override
    public void continued() {
        report.detail("continued");
        // A stopped rank could not speak.
        meeting.server().restartJudging();
    }

    /**
     * Ends what is left of the job and closes the rendezvous. If the job ended by itself, processes that the ranks have
     * started may go on, as with any command. Otherwise the guardian kills all processes of the job that are left on
     * this host.
     *
     * @param isClean whether the job ended by itself and its files are removed
     */
    private void leaveNothing(boolean isClean, Guardian guardian) {
        if (agents != null && !end.isInMinority()) {
            agents.end(isClean);
            end.decideIf(new LastHosts(agents::notLeft, events, suspension, report::say).await(end.isHurried()));
            agents.close();
        }
        if (meeting != null) {
            meeting.close();
        }
        if (isClean) {
            guardian.dismiss();
        } else {
            guardian.sweep();
        }
    }

    private void tellVerdict() {
        List<ProcessOutcome> outcomes = ledger.outcomes();
        if (request.printExitCodes()) {
            for (ProcessOutcome outcome : outcomes) {
                report.say(ledger.title(outcome.process()) + ": " + outcome.exitCode());
            }
            losses.unusedSpares()
                    .forEach((spare, exitCode) -> report.say("spare " + spare + ", not needed: " + exitCode));
        }
        if (!end.isDecided() && ledger.isFormed() && !ExitPolicy.hasAnyFinalized(outcomes)) {
            report.say("no rank returned from MPI.Finalize");
        }
    }
}
