package org.ulfmj.launch.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.ulfmj.launch.hosts.AgentStart;
import org.ulfmj.launch.process.NewSession;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.launch.program.ShellWords;

/** Starts agents by the command that the user or the batch system has for that, as ssh. */
final class AgentStarter {
    /** The variable by which a job step of Slurm tells a process its host. */
    private static final String SLURM_NODE = "SLURMD_NODENAME";
    /** Says what is missing on the host, in place of a shell's or a virtual machine's own words. */
    private static final String SCRIPT =
            """
            [ -x "$1" ] || { echo "there is no JDK at $1" >&2; exit 126; }
            [ -r "$2" ] || { echo "there is no file $2" >&2; exit 126; }
            exec "$1" -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp "$2" org.ulfmj.launch.Main --host-agent "$3"
            """;

    private static final int MOST_LINES = 20;
    /** How long the last words of a command that has ended are waited for. */
    private static final long WORDS_MS = 500;

    private final AgentStart how;
    private final Installation ours;

    AgentStarter(AgentStart how, Installation ours) {
        this.how = how;
        this.ours = ours;
    }

    /** Whether one command starts the agents of several hosts. */
    boolean isForAll() {
        return how.isForAll();
    }

    /** Whether the user starts agents. */
    boolean isManual() {
        return how.kind() == AgentStart.Kind.MANUAL;
    }

    int mostAtOnce() {
        return how.mostAtOnce();
    }

    /**
     * The words that start an agent, run on its host.
     *
     * @param which index of the host, or the variable that holds its name
     */
    List<String> agent(String which) {
        return List.of(
                "/bin/sh",
                "-c",
                SCRIPT,
                "mpiexec-host-agent",
                ours.java().toString(),
                ours.jar().toString(),
                which);
    }

    /** The command that starts the agents of these hosts: of a single one, unless {@link #isForAll}. */
    List<String> command(List<RemoteHost> hosts) {
        List<String> names = new ArrayList<>();
        hosts.forEach(host -> names.add(host.name()));
        List<String> agent = agent(isForAll() ? SLURM_NODE : Integer.toString(hosts.get(0).index));
        List<String> command = new ArrayList<>(how.wordsFor(names));
        if (how.isShell()) {
            command.add(ShellWords.quoted(agent));
        } else {
            command.addAll(agent);
        }
        return command;
    }

    /**
     * A command that starts agents, while it runs.
     *
     * @param said its last lines, for the case that it fails
     */
    record Running(Process process, Deque<String> said) {
        /** The last lines that it has written, each with a separator in front. */
        String words() {
            StringBuilder text = new StringBuilder();
            synchronized (said) {
                for (String line : said) {
                    text.append(text.length() == 0 ? ": " : " | ").append(line);
                }
            }
            return text.toString();
        }
    }

    /**
     * Starts a command, and gives it the specification on its stdin, which stays open: the end of it would end a job
     * step.
     *
     * @param onEnd called once it has ended, on another thread
     * @throws IOException if the system cannot start it
     */
    static Running start(List<String> command, String line, Runnable onEnd) throws IOException {
        List<String> words = new ArrayList<>(NewSession.prefix());
        words.addAll(command);
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        Deque<String> said = new ArrayDeque<>();
        Thread reader = new Thread(() -> read(process, said), "agent-start");
        reader.setDaemon(true);
        reader.start();
        // Its streams may stay open in a child.
        process.onExit().thenRun(() -> {
            awaitWords(reader);
            onEnd.run();
        });
        Thread writer = new Thread(() -> write(process, line), "agent-spec");
        writer.setDaemon(true);
        writer.start();
        return new Running(process, said);
    }

    private static void write(Process process, String line) {
        try {
            OutputStream stdin = process.getOutputStream();
            stdin.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            stdin.flush();
        } catch (IOException ended) {
            // The command has ended, which its reader tells.
        }
    }

    private static void awaitWords(Thread reader) {
        try {
            reader.join(WORDS_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void read(Process process, Deque<String> said) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (said) {
                    said.add(line);
                    if (said.size() > MOST_LINES) {
                        said.remove();
                    }
                }
            }
        } catch (IOException closed) {
            // It has ended.
        }
    }
}
