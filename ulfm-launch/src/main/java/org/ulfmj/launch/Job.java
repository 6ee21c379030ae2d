package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.command.Installation;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.command.UsageException;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.host.EarlyBinding;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.output.ReportQueue;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.Guardian;
import org.ulfmj.launch.process.QuitSignal;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.replacement.Replacements;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.LauncherProcess;
import org.ulfmj.runtime.process.ThisLauncher;
import org.ulfmj.runtime.waits.RankView;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.ProcessStat;
import org.ulfmj.transport.shm.ShmDirectory;
import org.ulfmj.transport.shm.ShmSweeper;

/**
 * One run of {@code mpiexec} from the first process to the exit code. All that happens comes through one queue, and the
 * thread that called {@link #run} acts on it.
 */
final class Job implements DeathWatch.Findings, Suspension.Listener {
    private static final int RUN_ID_BYTES = 5;
    /** How long other hosts may take to leave nothing behind. */
    private static final long LEAVE_NS = 15_000_000_000L;

    private final LaunchRequest request;
    private final boolean isFaultTolerant;
    private final Binding binding;
    private final EarlyBinding early;
    private final String runId = HexFormat.of().formatHex(RandomBytes.next(RUN_ID_BYTES));
    private final JobSecret secret = JobSecret.random();
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
    private final Verdicts verdicts;
    private final WaitSurvey survey;
    /** Null unless the job has a limit under which a program counts as hung. */
    private final HangWatch hangs;

    private final Suspension suspension;
    private final Actions actions = new Actions();

    /** The agents of other hosts; null in a job on one host. */
    private final Agents agents;

    /** Whether the processes of the job may be started: other hosts have their agents. */
    private boolean mayStart;

    private JobDirectory directory;

    /** Set before the watch starts. */
    private MeetingPoint meeting;

    private long timeoutNs;

    /** The end of the job before its time; null until that is decided. */
    private EndSequence end;

    /** The end of the processes that still waited for a place when the program was over; null before. */
    private EndSequence tidying;

    Job(LaunchRequest request, Installation ours) {
        this.request = request;
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
        ledger = new JobLedger(request.size(), isFaultTolerant);
        processes = new Processes(request, binding, streams.out(), streams.err(), events);
        verdicts = new Verdicts(processes, ledger, report);
        survey = new WaitSurvey(ledger, processes, report, 0);
        hangs = HangWatch.of(request.options(), ledger, processes, actions);
        suspension = new Suspension(processes, report, this, request.hosts() != null);
        finalOutput = new FinalOutput(processes, queue, events, suspension);
        injection = new Injection(request, report, processes);
        injector = injection.injector();
        starter = new Starter(request, binding, early, processes, ledger, watch, injector, report);
        replacements = starter.replacements();
        losses = new LostProcesses(ledger, processes, starter, injector, report, request);
        agents = request.hosts() == null
                ? null
                : new Agents(request, request.hosts(), ours, runId, secret, new HostEvents(this, events));
    }

    /**
     * Runs the job and returns the exit code of {@code mpiexec}.
     *
     * @throws IOException if the launcher cannot do its own part; nothing of the job is left then
     */
    int run() throws IOException {
        for (String warning : request.warnings()) {
            report.say(warning);
        }
        timeoutNs = request.timeoutNs() == 0 ? Long.MAX_VALUE : System.nanoTime() + request.timeoutNs();
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
            // The processes are starting up meanwhile, so the sweep delays no process.
            ShmSweeper.sweep(shmBase);
            superviseUntilAllEnded();
            if (agents != null && end == null) {
                // Agents that are told to end keep no output that is still on its way.
                awaitOutput();
            }
            if (end == null && processes.isEmpty()) {
                directory.remove();
                if (sharedFiles != null) {
                    sharedFiles.remove();
                }
                isClean = true;
            }
        } finally {
            quit.close();
            watch.close();
            leaveNothing(isClean, guardian);
        }
        awaitOutput();
        injector.finish();
        tellVerdict();
        awaitOutput();
        int exitCode = ExitPolicy.exitCode(ledger.outcomes(), isFaultTolerant, end == null ? null : end.reason());
        int judged = injection.judge(exitCode, ledger.outcomes());
        awaitOutput();
        return judged;
    }

    private void awaitOutput() {
        boolean isEndedFromOutside = end != null && end.reason().isFromOutside();
        endIf(finalOutput.await(isEndedFromOutside, timeoutNs));
    }

    /** Opens the rendezvous while the guardian starts, because each takes some milliseconds. Returns the guardian. */
    private Guardian openWithGuardian(Path path, Path shmPath) throws IOException {
        Precautions precautions = new Precautions(
                events,
                suspension,
                hostKey,
                path,
                shmPath,
                request.options().doOrphansContinue(),
                request.extras() == null ? List.of() : request.extras().signals());
        precautions.start();
        String address = agents == null ? HostPlace.LOOPBACK : agents.bindAddress();
        meeting = MeetingPoint.open(
                runId, request.size(), request.options(), request.restarts(), secret, address, events);
        return precautions.await();
    }

    /** Creates the folder for shared files. Null if there can be none: the processes then use TCP. */
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
            report.say("no shared memory, the processes use TCP: " + refused);
            return null;
        }
    }

    private void prepare() throws IOException {
        secret.write(directory.secret());
        // On several hosts no process can look at the launcher's, and a pid there may be another process here.
        LauncherProcess self = agents == null ? ThisLauncher.read() : LauncherProcess.UNKNOWN;
        new JobConfiguration(request.options(), injection.triggers(), injection.rules(), self)
                .write(directory.configuration());
        injection.writePlan(directory.configuration().getParent());
        losses.prepare(meeting);
        processes.prepare(meeting, agents);
        watch.start();
        if (agents == null) {
            start(HostMap.ofOneHost(HostPlace.only(hostKey), request.size()));
        } else {
            String configuration = Files.readString(directory.configuration());
            agents.start(meeting.server().port(), directory.configuration().getParent(), configuration);
        }
    }

    /** Starts the first process of each slot. */
    private void start(HostMap hosts) {
        mayStart = true;
        starter.prepare(runId, hosts, directory, meeting);
        RankStreams streams = processes.streams();
        if (streams != null) {
            streams.open(request.size());
        }
        for (int slot = 0; slot < request.size() && end == null; slot++) {
            try {
                starter.startFirst(slot);
            } catch (IOException e) {
                String message = "cannot start rank " + slot + ": " + e.getMessage();
                end(new EndReason(EndReason.Kind.LAUNCHER, UsageException.NOT_EXECUTABLE, message));
            }
        }
        if (streams != null) {
            streams.allStarted();
        }
    }

    private void superviseUntilAllEnded() {
        while (!mayStart || !ledger.haveAllEnded() || !processes.isEmpty()) {
            JobEvent event = next();
            if (event != null) {
                event.tell(actions);
            }
            long nowNs = System.nanoTime();
            injector.tick(nowNs);
            replacements.tick(nowNs);
            early.tick(nowNs);
            survey.tick(nowNs);
            if (hangs != null) {
                hangs.tick(nowNs);
            }
            if (mayStart && !isEnding()) {
                tidyIfOver(nowNs);
            }
            if (nowNs >= timeoutNs && !isEnding()) {
                end(EndReason.timeout());
            }
            if (isEnding() && (act(end == null ? tidying : end, nowNs) || !mayStart)) {
                return;
            }
        }
    }

    /** Whether the job waits only for the end of processes that must end. */
    private boolean isEnding() {
        return end != null || tidying != null;
    }

    /** Once the program is over, begins to end the spares and newcomers that no world will admit any more. */
    private void tidyIfOver(long nowNs) {
        if (ledger.isOver() || ledger.haveAllEnded()) {
            replacements.stop("the job is over");
            ledger.toldToEnd();
            tidying = new EndSequence(
                    EndReason.done(),
                    true,
                    request.isAnyJava(),
                    request.options().graceNs(),
                    nowNs);
        }
    }

    /** Waits for the next event and returns it; null if a deadline passes first. */
    private JobEvent next() {
        long dueNs = Math.min(Math.min(injector.deadlineNs(), survey.deadlineNs()), replacements.deadlineNs());
        dueNs = Math.min(dueNs, early.deadlineNs());
        dueNs = hangs == null ? dueNs : Math.min(dueNs, hangs.deadlineNs());
        EndSequence ending = end == null ? tidying : end;
        dueNs = Math.min(dueNs, ending == null ? timeoutNs : ending.deadlineNs());
        return events.take(dueNs == Long.MAX_VALUE ? dueNs : dueNs - System.nanoTime());
    }

    /**
     * A death in a running world goes straight to the survivors, on the thread that found it, because they wait for the
     * news, and each thread on the way would need a turn on a busy core. The survivors may hear of a death twice.
     */
    @Override
    public void died(RankProcess process, int exitCode) {
        ProcessId dead = process.id();
        if (dead != null && isFaultTolerant && meeting.isFormed()) {
            meeting.server().ended(dead, LostProcesses.DEAD);
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

    @Override
    public void looked(RankProcess process, char state, boolean isKillPending) {
        meeting.looked(process, state, isKillPending);
    }

    private void heardOut(ProcessId process, int exitCode) {
        endIf(losses.heardOut(process, exitCode, isEnding()));
    }

    /** The launcher is about to stop the ranks: a stopped rank must not be judged as silent. */
    @Override
    public void stopping() {
        meeting.server().suspendJudging();
    }

    /**
     * The launcher was continued after a stop, and the ranks that it had stopped run again. The measurement of each
     * rank's silence begins anew.
     */
    @Override
    public void continued() {
        report.detail("continued");
        // A stopped rank could not speak.
        meeting.server().restartJudging();
    }

    private void endIf(EndReason reason) {
        if (reason != null) {
            end(reason);
        }
    }

    /** Ends the job for a reason. If the job already has a reason, the first one counts. */
    private void end(EndReason reason) {
        if (end == null) {
            report.say(reason.message() + "; ending the job");
            replacements.stop(reason.message());
            long graceNs = request.options().graceNs();
            boolean isJava = request.isAnyJava() || dumpsAllStacks();
            end = new EndSequence(reason, ledger.hasAnybodyJoined(), isJava, graceNs, System.nanoTime());
            if (reason.kind() == EndReason.Kind.TIMEOUT
                    && request.extras() != null
                    && request.extras().reportsState()) {
                report.page("state of the processes", new StateReport(ledger, processes).lines());
            }
            if (reason.kind() == EndReason.Kind.NOT_FORMED || reason.kind() == EndReason.Kind.ABORT) {
                ledger.toldToEnd();
            }
        }
    }

    private boolean dumpsAllStacks() {
        return request.extras() != null && request.extras().dumpsAllStacks();
    }

    /**
     * Takes the step that is due to end the job. Returns whether it is no use to wait for the processes that are left.
     */
    private boolean act(EndSequence ending, long nowNs) {
        EndSequence.Action action = ending.due(nowNs);
        if (action == EndSequence.Action.ASK) {
            survey.askAll(meeting, nowNs);
        } else if (action == EndSequence.Action.DUMP) {
            processes.dumpStacks(dumpsAllStacks());
        } else if (action != null) {
            ledger.toldToEnd();
            processes.signal(
                    switch (action) {
                        case INTERRUPT -> "INT";
                        case TERMINATE -> "TERM";
                        default -> "KILL";
                    });
        }
        return ending.isOver(nowNs);
    }

    /**
     * Closes the rendezvous. If the job ended by itself, processes that the ranks have started may go on, as with any
     * command. Otherwise the guardian kills all processes that are left of the job.
     */
    private void leaveNothing(boolean isClean, Guardian guardian) {
        if (agents != null) {
            agents.end(isClean, LEAVE_NS);
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
                report.say("rank " + outcome.process() + ": " + outcome.exitCode());
            }
            losses.unusedSpares()
                    .forEach((spare, exitCode) -> report.say("spare " + spare + ", not needed: " + exitCode));
        }
        if (end == null && ledger.isFormed() && !ExitPolicy.hasAnyFinalized(outcomes)) {
            report.say("no rank returned from MPI.Finalize");
        }
    }

    /** Acts on events, on the thread that runs the job. */
    private final class Actions implements JobEvent.Handler, HangWatch.Outcomes {
        @Override
        public void onHostsReady(JobEvent.HostsReady ready) {
            if (!isEnding()) {
                report.detail("all hosts have agents");
                HostPlace here = new HostPlace(0, request.hosts().hosts().size(), hostKey, ready.address());
                start(HostMap.of(here, request.size(), request.hosts(), agents));
            }
        }

        @Override
        public void onHostFailed(JobEvent.HostFailed failed) {
            String message = "host " + failed.host() + ": " + failed.why();
            end(new EndReason(EndReason.Kind.LAUNCHER, ExitPolicy.LAUNCHER_FAILED, message));
        }

        @Override
        public void onNotStarted(JobEvent.NotStarted not) {
            String message = "cannot start " + nameOf(not.process()) + " on " + not.host() + ": " + not.why();
            if (ledger.isFormed()) {
                report.say(message);
            } else {
                end(new EndReason(EndReason.Kind.LAUNCHER, UsageException.NOT_EXECUTABLE, message));
            }
        }

        @Override
        public void onHostNotice(JobEvent.HostNotice notice) {
            report.say(notice.line());
        }

        @Override
        public void onDied(JobEvent.Died died) {
            report.detail(nameOf(died.process()) + " is dead");
            injection.died(died.process());
            losses.died(died.process(), died.exitCode());
        }

        @Override
        public void onDeathHeard(JobEvent.DeathHeard heard) {
            losses.deathHeard(heard.process(), heard.exitCode(), isEnding());
        }

        @Override
        public void onEnded(JobEvent.Ended ended) {
            injection.died(ended.process());
            losses.ended(ended.process(), ended.exitCode(), isEnding());
        }

        @Override
        public void onHeardOut(JobEvent.HeardOut heardOut) {
            heardOut(heardOut.process(), heardOut.exitCode());
        }

        @Override
        public void onJoined(JobEvent.Joined joined) {
            report.detail("rank " + joined.process() + " joined");
            injector.joined(joined.process(), System.nanoTime());
            endIf(ledger.joined(joined.process()));
        }

        @Override
        public void onAllJoined(JobEvent.AllJoined event) {
            report.detail("all ranks joined");
            if (ledger.hasWorldGone()) {
                report.say("all ranks had died; the program has begun anew with those that were started again");
            }
            ledger.formed();
            early.formed(System.nanoTime());
            watch.rehearse(meeting.server()::rehearseDeath);
            injector.start(System.nanoTime());
            if (!isEnding()) {
                starter.startSpares();
            }
        }

        @Override
        public void onSpareReady(JobEvent.SpareReady ready) {
            report.detail("spare " + ready.spare() + " is ready");
            replacements.spareReady(ready.spare());
        }

        @Override
        public void onCommitted(JobEvent.Committed committed) {
            report.detail("rank " + committed.from() + " says the world is " + committed.members() + " in epoch "
                    + committed.epoch());
            ledger.committed(committed.epoch(), committed.members());
        }

        @Override
        public void onWorldGone(JobEvent.WorldGone event) {
            report.detail("all ranks have died");
            ledger.worldGone();
        }

        @Override
        public void onFinalized(JobEvent.Finalized finalized) {
            report.detail(
                    "rank " + finalized.process() + " finalized, holding for failed " + finalized.heldForFailed());
            ledger.finalized(finalized.process(), finalized.heldForFailed());
        }

        @Override
        public void onLeft(JobEvent.Left left) {
            report.detail("rank " + left.process() + " leaves: " + left.why());
            ledger.left(left.process(), left.why());
        }

        @Override
        public void onReached(JobEvent.Reached reached) {
            injector.reached(reached.process(), reached.kill(), System.nanoTime());
        }

        @Override
        public void onAborted(JobEvent.Aborted aborted) {
            String message = "rank " + aborted.process() + " called abort with code " + aborted.code();
            end(new EndReason(EndReason.Kind.ABORT, aborted.code(), message));
            meeting.server().abort(aborted.code(), message);
        }

        @Override
        public void onSuspected(JobEvent.Suspected suspected) {
            report.detail("rank " + suspected.from() + " hears nothing of rank " + suspected.about());
        }

        @Override
        public void onSilent(JobEvent.Silent silent) {
            verdicts.silent(processes.find(silent.process()), silent.reason());
        }

        @Override
        public void onGivenUp(JobEvent.GivenUp givenUp) {
            verdicts.givenUp(processes.find(givenUp.process()), givenUp.reason());
            replacements.replaceOnProof(givenUp.process().slot());
        }

        @Override
        public void onUnreaped(JobEvent.Unreaped unreaped) {
            verdicts.unreaped(unreaped.process());
        }

        @Override
        public void onSpareSilent(JobEvent.SpareSilent silent) {
            verdicts.silent(processes.findSpare(silent.spare()), silent.reason());
        }

        @Override
        public void onSpareGivenUp(JobEvent.SpareGivenUp givenUp) {
            verdicts.givenUp(processes.findSpare(givenUp.spare()), givenUp.reason());
        }

        @Override
        public void onFenced(JobEvent.Fenced fenced) {
            report.say("rank " + fenced.process() + " must end: " + fenced.why());
        }

        @Override
        public void onWaitsTold(JobEvent.WaitsTold told) {
            survey.told(told.process(), told.request(), told.report());
            if (hangs != null) {
                hangs.told(told, System.nanoTime());
            }
        }

        @Override
        public void onFellSilent(JobEvent.FellSilent silent) {
            if (hangs != null && !isEnding()) {
                hangs.fellSilent(meeting, System.nanoTime());
            }
        }

        @Override
        public void tell(String line) {
            report.say(line);
        }

        @Override
        public void fail(ProcessId process, String why) {
            if (!isEnding()) {
                verdicts.silent(processes.find(process), why);
            }
        }

        @Override
        public void endJob(EndReason reason, String title, List<RankView> views) {
            if (!isEnding()) {
                end(reason);
                report.take(title, views);
            }
        }

        @Override
        public void onDumpedStacks(JobEvent.DumpedStacks dumped) {
            if (!isEnding() && dumped.process().id() != null) {
                survey.ask(dumped.process().id(), meeting, System.nanoTime());
            }
        }

        @Override
        public void onAskedForWaits(JobEvent.AskedForWaits event) {
            survey.askAll(meeting, System.nanoTime());
        }

        @Override
        public void onNotFormed(JobEvent.NotFormed event) {
            if (ledger.isFormed()) {
                return;
            }
            ledger.toldToEnd();
            // If a process has just died, its exit code will come and says more, unless all members have died before.
            if (!ledger.hasAnybodyDied() || ledger.hasWorldGone()) {
                end(EndReason.notFormed(event.why()));
            }
        }

        @Override
        public void onStranger(JobEvent.Stranger stranger) {
            report.say("a process that does not know this job's secret calls and was cut off (" + stranger.why()
                    + "); further calls of this kind will not be told");
        }

        @Override
        public void onMeetingBroken(JobEvent.MeetingBroken broken) {
            String message = "the rendezvous is broken: " + broken.cause();
            end(new EndReason(EndReason.Kind.LAUNCHER, ExitPolicy.LAUNCHER_FAILED, message));
            losses.unheard().forEach(Job.this::heardOut);
        }

        @Override
        public void onSignalled(JobEvent.Signalled signalled) {
            if (end == null) {
                end(EndReason.signalled(signalled.name()));
            } else {
                end.hurry(System.nanoTime());
                finalOutput.cutShort();
            }
        }

        @Override
        public void onNoticed(JobEvent.Noticed noticed) {
            if (request.extras() != null && !request.extras().signals().contains(noticed.name())) {
                report.say("got SIG" + noticed.name() + ", which is not passed on to the processes (--forward-signals"
                        + " none); the job goes on");
            } else {
                new SignalPassing(request, processes, ledger, meeting, report).pass(noticed.name());
            }
        }

        @Override
        public void onStopAsked(JobEvent.StopAsked asked) {
            suspension.stop(asked.continued());
        }

        @Override
        public void onContinued(JobEvent.Continued event) {
            suspension.goOn();
        }

        @Override
        public void onOutputLost(JobEvent.OutputLost lost) {
            end(lost.reason());
        }

        private String nameOf(RankProcess process) {
            return process.id() == null ? process.name() : "rank " + process.name();
        }
    }
}
