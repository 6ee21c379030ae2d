package org.ulfmj.launch.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.ulfmj.launch.program.ShellWords;

/**
 * Starts the agents that wait for their start, or tells the user how to start them: all by one command where that is
 * possible and wanted, else a limited number at a time. On the line's thread.
 */
final class AgentStarts {
    private final AgentStarter starter;
    /** The other hosts, by index; null at the index of the launcher's own host. */
    private final List<RemoteHost> hosts;

    private final HostStates states;
    private final AgentLine line;
    private final Supplier<AgentSpec> spec;
    private final Path directory;
    private final Agents.Events events;
    /**
     * Whether each command starts one agent only, even if it could start several: true where hosts are discovered,
     * since they come and go.
     */
    private final boolean isOneByOne;

    /**
     * @param spec gives the specification for agents that are started now
     * @param directory the launcher's directory, for files that the user passes to agents
     * @param isOneByOne whether each command starts one agent only
     */
    AgentStarts(
            AgentStarter starter,
            List<RemoteHost> hosts,
            HostStates states,
            AgentLine line,
            Supplier<AgentSpec> spec,
            Path directory,
            Agents.Events events,
            boolean isOneByOne) {
        this.starter = starter;
        this.hosts = hosts;
        this.states = states;
        this.line = line;
        this.spec = spec;
        this.directory = directory;
        this.events = events;
        this.isOneByOne = isOneByOne;
    }

    /**
     * Starts the agents that wait for their start: all by one command if that is possible and wanted, else as many as
     * may be starting at a time.
     */
    void startWaiting() {
        if (states.isEnding()) {
            return;
        }
        List<RemoteHost> waiting = new ArrayList<>();
        int starting = 0;
        for (RemoteHost host : hosts) {
            if (host != null && host.state == RemoteHost.State.WAITING) {
                waiting.add(host);
            } else if (host != null && host.state == RemoteHost.State.STARTING) {
                starting++;
            }
        }
        if (!waiting.isEmpty() && starter.isForAll() && !isOneByOne) {
            start(waiting);
            return;
        }
        for (RemoteHost host : waiting) {
            // If a start fails at once, others are started from within, perhaps this one; so the state is checked
            // again.
            if (starting < starter.mostAtOnce() && host.state == RemoteHost.State.WAITING) {
                starting++;
                start(List.of(host));
            }
        }
    }

    private void start(List<RemoteHost> some) {
        List<String> command = starter.command(some);
        String text = spec.get().toLine();
        int[] attempts = new int[some.size()];
        for (int i = 0; i < attempts.length; i++) {
            attempts[i] = some.get(i).attempt;
            some.get(i).startedNs = System.nanoTime();
            some.get(i).state = RemoteHost.State.STARTING;
        }
        try {
            if (starter.isManual()) {
                tellUser(some, text);
                return;
            }
            AgentStarter.Running[] running = new AgentStarter.Running[1];
            running[0] = AgentStarter.start(
                    command,
                    text,
                    () -> line.run(() -> {
                        for (int i = 0; i < attempts.length; i++) {
                            if (some.get(i).attempt == attempts[i]) {
                                states.starterEnded(some.get(i), running[0]);
                            }
                        }
                    }));
            some.forEach(host -> host.starter = running[0]);
        } catch (IOException refused) {
            some.forEach(host -> states.lost(host, "cannot start " + command.get(0) + ": " + refused.getMessage()));
        }
    }

    private void tellUser(List<RemoteHost> some, String text) throws IOException {
        for (RemoteHost host : some) {
            Path file = directory.resolve("agent." + host.index + "." + host.attempt);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text + "\n", StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
            events.onNotice("start on " + host.name() + ": "
                    + ShellWords.quoted(starter.agent(Integer.toString(host.index))) + " < " + file
                    + " (the file holds the job's secret: copy it so that others cannot read it)");
        }
    }
}
