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

/** Starts agents by the command that the user or the batch system provides for that, such as ssh. */
final class AgentStarter {
    /** The environment variable by which a job step of Slurm tells a process the name of its host. */
    private static final String SLURM_NODE = "SLURMD_NODENAME";
    /**
     * A shell script that starts an agent. If the JDK or our jar is missing on the host, the script says so, instead of
     * the messages of a shell or a virtual machine.
     */
    private static final String SCRIPT =
            """
            [ -x "$1" ] || { echo "there is no JDK at $1" >&2; exit 126; }
            [ -r "$2" ] || { echo "there is no file $2" >&2; exit 126; }
            exec "$1" -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp "$2" org.ulfmj.launch.Main --host-agent "$3"
            """;

    private static final int MOST_LINES = 20;
    /** How long the last lines of a command that has ended are waited for. */
    private static final long WORDS_MS = 500;

    private final AgentStart how;
    private final Installation ours;

    AgentStarter(AgentStart how, Installation ours) {
        this.how = how;
        this.ours = ours;
    }

    /** Whether one command can start the agents of several hosts. */
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
     * Returns the command that starts an agent when it is run on the agent's host.
     *
     * @param which the index of the host, or the name of the environment variable that holds the host's name
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

    /**
     * Returns the command that starts the agents of these hosts. They must be a single host, unless {@link #isForAll}.
     */
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
     * @param said the last lines that it has written, in case it fails
     */
    record Running(Process process, Deque<String> said) {
        /** Returns the last lines that the command has written, each with a separator in front. */
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
     * Starts a command and writes the specification to its stdin. Stdin stays open, since closing it would end a job
     * step.
     *
     * @param onEnd called once the command has ended, on another thread
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
        // The end of the command is taken from its exit, not from its output, since a child of it may hold the output
        // open.
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
            // Nothing to do: the command has ended, which is noticed by its exit.
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
