package org.ulfmj.launch.process;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends signals to processes by the {@code kill} of a shell, also those that Java cannot send. */
public final class SignalSender {
    /**
     * The script that sends the signal. It ignores processes that have ended. A target with a minus is a process group:
     * if there is no such group, because the process has not moved to a new session yet, the process alone gets the
     * signal. A target with an exclamation mark before it is the group of a leader that has ended, whose pid may be
     * that of another process by now, so no process gets the signal alone.
     */
    private static final String SCRIPT =
            """
            signal=$1
            shift
            for target in "$@"; do
              group=${target#!}
              kill -s "$signal" -- "$group" || [ "$group" != "$target" ] || kill -s "$signal" -- "${target#-}"
            done 2>/dev/null
            exit 0
            """;

    private static final File NOTHING = new File("/dev/null");
    private static final long MOST_SECONDS = 5;

    private SignalSender() {}

    /**
     * Sends a signal to processes and to their children in their process groups. Waits until it was sent to those of
     * this host, for some seconds at most; processes of other hosts get it through their agents.
     *
     * @param signal its name without SIG
     */
    public static void sendToGroups(String signal, Collection<RankProcess> processes) {
        send(signal, processes, true);
    }

    /** As {@link #sendToGroups}, but not to the children of the processes. */
    public static void sendAlone(String signal, Collection<RankProcess> processes) {
        send(signal, processes, false);
    }

    /** Sends a signal to processes by their pids; a negative number stands for a process group. */
    public static void sendTo(String signal, List<Long> pids) {
        List<String> targets = new ArrayList<>();
        for (Long pid : pids) {
            targets.add(pid.toString());
        }
        send(signal, targets);
    }

    private static void send(String signal, Collection<RankProcess> processes, boolean toGroups) {
        List<String> targets = new ArrayList<>();
        List<RankProcess> here = new ArrayList<>();
        for (RankProcess process : processes) {
            if (process.process() instanceof Remote remote) {
                remote.signal(signal, toGroups);
                continue;
            }
            if (toGroups && signal.equals("TERM")) {
                process.terminated();
            }
            here.add(process);
            if (toGroups && process.leadsGroup()) {
                targets.add((process.hasEnded() ? "!-" : "-") + process.pid());
            } else if (!process.hasEnded()) {
                targets.add(Long.toString(process.pid()));
            }
        }
        if (!send(signal, targets)) {
            withoutShell(signal, here);
        }
    }

    /**
     * Sends SIGKILL, or SIGTERM in place of SIGTERM and SIGINT, to the processes alone, by Java's own means, if no
     * shell can be started; sends no other signal. A launcher that has no descriptor or process left for a shell can do
     * no more; the guardian kills the children.
     */
    static void withoutShell(String signal, Collection<RankProcess> processes) {
        for (RankProcess process : processes) {
            // The handle is used because a Process that is destroyed by its own method loses the output that was not
            // read yet.
            ProcessHandle handle = handleOf(process.process());
            if (handle == null) {
                continue;
            }
            if (signal.equals("KILL")) {
                handle.destroyForcibly();
            } else if (signal.equals("TERM") || signal.equals("INT")) {
                handle.destroy();
            }
        }
    }

    /** Returns null for a process of another launcher that has ended. */
    private static ProcessHandle handleOf(Process process) {
        try {
            return process.toHandle();
        } catch (IllegalStateException hasEnded) {
            return null;
        }
    }

    /** Sends SIGSTOP to the launcher itself. Returns when the launcher was continued. */
    public static void stopThisProcess() {
        send("STOP", List.of(Long.toString(ProcessHandle.current().pid())));
    }

    /** Returns whether a shell could be started to send the signal; true also where there is no target. */
    private static boolean send(String signal, List<String> targets) {
        if (targets.isEmpty()) {
            return true;
        }
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "mpiexec-kill", signal));
        command.addAll(targets);
        try {
            Process kill = new ProcessBuilder(command)
                    .redirectInput(NOTHING)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }
}
