package org.ulfmj.launch;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.command.UsageException;
import org.ulfmj.launch.inject.InjectPlan;
import org.ulfmj.launch.inject.Kill;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.JobConfiguration;
import org.ulfmj.runtime.LaunchEnvironment;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * One run of {@code mpiexec} from the first process to the exit code. All that happens comes through one queue, and the
 * thread that called {@link #run} acts on it.
 */
final class Job {
    private static final int RUN_ID_BYTES = 5;
    private static final long MOST_OUTPUT_MS = 2_000;
    private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);
    private static final int SIGPIPE = 13;

    private final LaunchRequest request;
    private final String runId = HexFormat.of().formatHex(RandomBytes.next(RUN_ID_BYTES));
    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final Report report;
    private final JobLedger ledger;
    private final Processes processes;
    private final List<Kill> kills;
    private final Injector injector;
    private final DeathWatch watch = new DeathWatch(events::add);
    private long timeoutNs;
    private EndSequence end;

    Job(LaunchRequest request) {
        this.request = request;
        LineSink out = new LineSink(new FileOutputStream(FileDescriptor.out), this::outputLost);
        LineSink err = new LineSink(new FileOutputStream(FileDescriptor.err), this::outputLost);
        report = new Report(err, request.options().isVerbose());
        ledger = new JobLedger(request.size(), request.options().isFaultTolerant());
        processes = new Processes(request, out, err);
        kills = drawn(request.plan());
        injector = new Injector(kills, report, processes::kill);
    }

    /**
     * Runs the job and returns what {@code mpiexec} ends with.
     *
     * @throws IOException if the launcher cannot do its own part; nothing of the job is left then
     */
    int run() throws IOException {
        for (String signal : SIGNALS.keySet()) {
            Signals.handle(signal, name -> events.add(new JobEvent.Signalled(name)));
        }
        reportPid();
        request.warnings().forEach(report::say);
        timeoutNs = request.timeoutNs() == 0 ? Long.MAX_VALUE : System.nanoTime() + request.timeoutNs();
        Path path = JobDirectory.pathFor(runId, System.getenv());
        Guardian guardian = request.options().doOrphansContinue() ? null : Guardian.start(runId, path);
        boolean isClean = false;
        try {
            JobDirectory directory = JobDirectory.create(path);
            start(directory);
            superviseUntilAllEnded();
            if (end == null) {
                directory.remove();
                isClean = true;
            }
        } finally {
            watch.close();
            leaveNothing(isClean, guardian, path);
        }
        processes.awaitOutput(MOST_OUTPUT_MS);
        injector.finish();
        return verdict();
    }

    private void start(JobDirectory directory) throws IOException {
        JobSecret.random().write(directory.secret());
        new JobConfiguration(request.options(), Injector.triggers(kills)).write(directory.configuration());
        watch.start();
        for (int slot = 0; slot < request.size() && end == null; slot++) {
            try {
                RankProcess process = processes.start(place(slot, directory));
                ledger.started(slot);
                watch.watch(process, request.command().isJava());
                report.detail("rank " + slot + " is pid " + process.pid());
            } catch (IOException e) {
                end(new EndReason(
                        EndReason.Kind.START,
                        UsageException.NOT_EXECUTABLE,
                        "cannot start rank " + slot + ": " + e.getMessage()));
            }
        }
    }

    private LaunchEnvironment place(int slot, JobDirectory directory) {
        return new LaunchEnvironment(
                runId,
                ProcessId.of(slot),
                request.size(),
                slot,
                request.size(),
                0,
                1,
                "",
                directory.secret(),
                directory.configuration(),
                0);
    }

    private void superviseUntilAllEnded() {
        while (!ledger.haveAllEnded()) {
            JobEvent event = next();
            if (event != null) {
                take(event);
            }
            long nowNs = System.nanoTime();
            injector.tick(nowNs);
            if (nowNs >= timeoutNs && end == null) {
                end(new EndReason(EndReason.Kind.TIMEOUT, 0, "--timeout is over"));
            }
            if (end != null && act(nowNs)) {
                return;
            }
        }
    }

    /** The next event, or null if something else is due first. */
    private JobEvent next() {
        long dueNs = Math.min(injector.deadlineNs(), end == null ? timeoutNs : end.deadlineNs());
        try {
            return dueNs == Long.MAX_VALUE
                    ? events.take()
                    : events.poll(Math.max(0, dueNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the launcher's main thread", e);
        }
    }

    private void take(JobEvent event) {
        if (event instanceof JobEvent.Ended ended) {
            ended(ended.slot(), ended.exitCode());
        } else if (event instanceof JobEvent.Signalled signalled) {
            signalled(signalled.name());
        } else if (event instanceof JobEvent.OutputLost) {
            end(EndReason.signal(SIGPIPE, "nobody reads the output any more"));
        }
    }

    private void ended(int slot, int exitCode) {
        processes.ended(slot);
        EndReason reason = ledger.ended(slot, exitCode);
        if (reason != null) {
            end(reason);
        } else if (exitCode != 0) {
            report.say(ledger.describe(slot));
        }
    }

    private void signalled(String name) {
        if (end == null) {
            end(EndReason.signal(SIGNALS.get(name), "got SIG" + name));
        } else {
            end.hurry(System.nanoTime());
        }
    }

    /** The first reason is the one that counts. */
    private void end(EndReason reason) {
        if (end == null) {
            report.say(reason.message() + "; ending the job");
            end = new EndSequence(
                    reason, request.command().isJava(), request.options().graceNs(), System.nanoTime());
        }
    }

    /** Does what is due to end the job; returns whether waiting for the rest is of no use. */
    private boolean act(long nowNs) {
        EndSequence.Action action = end.due(nowNs);
        if (action != null) {
            switch (action) {
                case DUMP -> processes.signal("QUIT");
                case INTERRUPT -> {
                    ledger.toldToEnd();
                    processes.signal("INT");
                }
                case TERMINATE -> {
                    ledger.toldToEnd();
                    processes.signal("TERM");
                }
                case SWEEP -> {
                    ledger.toldToEnd();
                    processes.signal("KILL");
                }
            }
        }
        return end.isOver(nowNs);
    }

    /** A job that ended by itself may leave processes behind, as any command may; one that was ended leaves nothing. */
    private void leaveNothing(boolean isClean, Guardian guardian, Path path) throws IOException {
        if (!isClean) {
            Guardian sweeper = guardian == null ? Guardian.start(runId, path) : guardian;
            sweeper.sweep();
        } else if (guardian != null) {
            guardian.dismiss();
        }
    }

    private int verdict() {
        List<SlotOutcome> outcomes = ledger.outcomes();
        if (request.printExitCodes()) {
            for (SlotOutcome outcome : outcomes) {
                report.say("rank " + outcome.slot() + ": " + outcome.exitCode());
            }
        }
        return ExitPolicy.exitCode(outcomes, request.options().isFaultTolerant(), end == null ? null : end.reason());
    }

    private List<Kill> drawn(InjectPlan plan) {
        long seed = request.seed() == null ? RandomBytes.nextLong() >>> 1 : request.seed();
        List<Kill> drawn = plan.draw(seed);
        if (plan.isRandom()) {
            StringBuilder text = new StringBuilder();
            for (Kill kill : drawn) {
                text.append(text.length() == 0 ? "" : "; ").append(kill);
            }
            report.say("inject: --inject-seed " + seed + " gives " + text);
        }
        return drawn;
    }

    private void reportPid() throws IOException {
        String where = request.reportPid();
        if (where == null) {
            return;
        }
        String line = ProcessHandle.current().pid() + System.lineSeparator();
        switch (where) {
            case "-" -> System.out.print(line);
            case "+" -> System.err.print(line);
            default -> Files.writeString(Path.of(where), line);
        }
    }

    private void outputLost() {
        events.add(new JobEvent.OutputLost());
    }
}
