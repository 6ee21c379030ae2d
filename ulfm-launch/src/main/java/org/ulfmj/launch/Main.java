package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.agent.HostAgent;
import org.ulfmj.launch.archive.JobArchive;
import org.ulfmj.launch.command.CommandLine;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.doctor.Doctor;
import org.ulfmj.launch.end.ExitPolicy;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.office.ForgottenJob;
import org.ulfmj.launch.office.FoundJob;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.UserLocale;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.launch.program.QuickStart;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.transport.host.SystemReason;

/** The main class of {@code mpiexec}. */
public final class Main implements Thread.UncaughtExceptionHandler {
    private Main() {}

    /**
     * Runs the launcher, or what else the arguments ask for, and exits with its exit code; {@link ExitPolicy} has that
     * of a job.
     */
    public static void main(String[] arguments) {
        // A launcher that lost a thread would neither go on nor end, so it exits at once in that case. The guardian
        // then ends the job's processes, unless they may go on as orphans.
        Thread.setDefaultUncaughtExceptionHandler(new Main());
        System.exit(run(arguments));
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        String lack = SystemReason.ofThreads(thrown);
        if (lack != null) {
            Report.toStandardError().say("cannot run the job: " + lack);
        } else {
            Report.toStandardError().say("broken: " + thrown + " in thread " + thread.getName());
            thrown.printStackTrace();
        }
        Runtime.getRuntime().halt(ExitPolicy.LAUNCHER_FAILED);
    }

    private static int run(String... arguments) {
        try {
            Installation ours = Installation.running();
            if (arguments.length == 2 && arguments[0].equals("--host-agent")) {
                return HostAgent.run(arguments[1], System.in, System.getenv());
            }
            if (arguments.length > 0 && arguments[0].equals("doctor")) {
                return examine(ours, arguments);
            }
            if (arguments.length == 2 && arguments[0].equals("--rdzv-forget")) {
                System.out.println(ForgottenJob.forget(arguments[1]));
                return 0;
            }
            CommandLine commandLine = new CommandLine(ours, UserLocale.environment());
            LaunchRequest request = commandLine.parse(arguments);
            if (request == null) {
                System.out.println(commandLine.text());
                return 0;
            }
            if (request.extras() != null && request.extras().showsPlanOnly()) {
                PlanPage.lines(request).forEach(System.out::println);
                return 0;
            }
            reportPid(request.reportPid());
            return runJob(request, ours);
        } catch (UsageException e) {
            Report.toStandardError().say(e.getMessage());
            return e.exitCode();
        } catch (IOException e) {
            Report.toStandardError().say("cannot run the job: " + SystemReason.of(e));
            return ExitPolicy.LAUNCHER_FAILED;
        } catch (RuntimeException e) {
            Report.toStandardError().say("broken: " + e);
            e.printStackTrace();
            return ExitPolicy.LAUNCHER_FAILED;
        }
    }

    private static int examine(Installation ours, String... arguments) {
        Map<String, String> environment = UserLocale.environment();
        Path jobs = JobDirectory.pathFor("", environment).getParent();
        List<String> rest = List.of(arguments).subList(1, arguments.length);
        Doctor doctor = new Doctor(ours, environment, JobArchive.directory(environment), jobs, rest);
        doctor.lines().forEach(System.out::println);
        return doctor.hasAdvice() ? 1 : 0;
    }

    private static int runJob(LaunchRequest request, Installation ours) throws IOException {
        List<StartCommand> commands = new ArrayList<>();
        JobArchive archive = null;
        StartCommand before = null;
        for (StartCommand command : request.commands()) {
            // The ranks of one program follow each other and share their command, so it is prepared once.
            if (command != before) {
                before = command;
                archive = JobArchive.choose(request, command, ours, Main.class, System.getenv());
                commands.add(QuickStart.addTo(archive.command(), ours, System.getenv()));
            } else {
                commands.add(commands.get(commands.size() - 1));
            }
        }
        LaunchRequest executed = request.executing(commands);
        if (request.elastic() != null && request.elastic().isJoining()) {
            return new JoiningJob(executed).run();
        }
        if (request.elastic() != null && request.rdzv() != null && FoundJob.isThere("--rdzv", request.rdzv())) {
            return new JoiningJob(executed.joining()).run();
        }
        int exitCode = new Job(executed, ours).run();
        if (exitCode == 0) {
            archive.afterGoodEnd();
        }
        return exitCode;
    }

    private static void reportPid(String where) throws IOException {
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
}
