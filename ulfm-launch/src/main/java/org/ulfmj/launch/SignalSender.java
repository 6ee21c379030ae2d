package org.ulfmj.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends signals that Java cannot send, by the shell's own {@code kill}. */
final class SignalSender {
    /** To the group of a process that leads one, else to the process; one that is gone is no error. */
    private static final String SCRIPT =
            """
            signal=$1
            shift
            for target in "$@"; do kill -s "$signal" -- "$target" 2>/dev/null; done
            exit 0
            """;

    private static final long MOST_SECONDS = 5;

    private SignalSender() {}

    /**
     * Sends a signal to processes and what they started in their groups. Returns when it was sent.
     *
     * @param signal its name without SIG
     */
    static void send(String signal, Collection<RankProcess> processes) {
        if (processes.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "mpiexec-kill", signal));
        for (RankProcess process : processes) {
            command.add((process.leadsGroup() ? "-" : "") + process.pid());
        }
        try {
            Process kill = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            // No shell, no process left to start one: the hard way is still open.
            processes.forEach(RankProcess::kill);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
