package org.ulfmj.launch.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.launch.command.Installation;
import org.ulfmj.launch.command.JobHosts;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.command.ShellWords;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.process.TerminalInput;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * The agents of a job's other hosts, in the launcher: starts them, hands processes to them, and tells what becomes of
 * both. An agent that dies is replaced once: the next one leaves nothing of the host's processes, which proves their
 * ends. A host of which nothing is heard for a lease is held for dead, and its processes with it.
 *
 * <p>The methods for the launcher's main thread return at once. Events come on the thread of the line.
 */
public final class Agents implements AgentLine.Listener, AutoCloseable {
    /** What the shell says of a process that SIGKILL has ended. */
    private static final int KILLED = 137;

    private static final int NOT_STARTED = 127;
    private static final String ANY_IPV6 = "::";
    private static final String ANY_IPV4 = "0.0.0.0";

    /** Is told of agents and of their processes. */
    public interface Events extends DeathWatch.Findings {
        /**
         * Every host has an agent.
         *
         * @param address of the launcher, at which the first of them reached it
         */
        void onReady(String address);

        /** A host has no agent, and never had one: the job cannot be started there. */
        void onFailed(String host, String why);

        /** Something that the user wants to know of a host. */
        void onNotice(String line);

        /** A process could not be started; its end is told too. */
        void onNotStarted(RankProcess process, String host, String why);
    }

    private final LaunchRequest request;
    private final Options options;
    private final JobHosts jobHosts;
    private final String runId;
    private final JobSecret secret;
    private final AgentStarter starter;
    private final Events events;
    private final long launcherNonce = RandomBytes.nextLong();
    /** By index; null for the launcher's own host. */
    private final List<RemoteHost> hosts = new ArrayList<>();

    private List<String> addresses;
    private AgentLine line;
    private Path directory;
    private int rendezvousPort;
    private String configuration;
    private String firstAddress;
    private long startedNs;
    private boolean isTold;
    private volatile boolean isEnding;

    public Agents(
            LaunchRequest request,
            JobHosts jobHosts,
            Installation ours,
            String runId,
            JobSecret secret,
            Events events) {
        this.request = request;
        this.options = request.options();
        this.jobHosts = jobHosts;
        this.runId = runId;
        this.secret = secret;
        this.starter = new AgentStarter(jobHosts.agents(), ours);
        this.events = events;
        for (int index = 0; index < jobHosts.hosts().size(); index++) {
            JobHosts.JobHost named = jobHosts.hosts().get(index);
            hosts.add(
                    named.isHere()
                            ? null
                            : new RemoteHost(index, named, RandomBytes.nextLong(), RandomBytes.nextLong()));
        }
    }

    /**
     * Finds the addresses at which other hosts may reach this one.
     *
     * @return where the launcher is to wait for ranks, as a literal
     * @throws IOException if there is none
     */
    public String bindAddress() throws IOException {
        addresses = Addresses.of(options.netInterface());
        if (addresses.size() == 1) {
            return addresses.get(0);
        }
        return addresses.stream().anyMatch(address -> address.indexOf(':') >= 0) ? ANY_IPV6 : ANY_IPV4;
    }

    /**
     * Begins to start the agents.
     *
     * @param port where the launcher waits for ranks
     * @param jobDirectory of the launcher
     * @param jobConfiguration which every host's processes are to read
     * @throws IOException if the launcher cannot wait for them
     */
    public void start(int port, Path jobDirectory, String jobConfiguration) throws IOException {
        rendezvousPort = port;
        directory = jobDirectory;
        configuration = jobConfiguration;
        startedNs = System.nanoTime();
        LinkIdentity self = new LinkIdentity(ProcessId.of(AgentLine.LAUNCHER), launcherNonce);
        line = new AgentLine(self, secret, options, bindAddress(), this);
        List<MemberRecord> ends = new ArrayList<>();
        for (RemoteHost host : hosts) {
            if (host != null) {
                ends.add(AgentLine.agent(host.index, host.attempt, host.nonce));
            }
        }
        line.start(ends);
        line.run(this::startWaiting);
    }

    /** Whether a host is the launcher's own. */
    public boolean isHere(int host) {
        return hosts.get(host) == null;
    }

    /** The key of another host. */
    public long keyOf(int host) {
        return hosts.get(host).key;
    }

    /** Whether processes can be started on a host. */
    public boolean isReady(int host) {
        return isHere(host) || hosts.get(host).state == RemoteHost.State.READY;
    }

    /** How many processes run on another host. */
    public int running(int host) {
        return hosts.get(host).running();
    }

    /**
     * Starts a process on another host. Its start may fail later: {@link Events#onNotStarted}.
     *
     * @param id its place; null for a spare
     * @param localRank index among the processes of its host
     * @param command index of its command
     * @param environment variables besides those of the command and of its place
     */
    public RankProcess start(
            int host, ProcessId id, int spare, int localRank, int command, Map<String, String> environment) {
        RemoteHost remote = hosts.get(host);
        int number = remote.nextNumber();
        RemoteProcess process =
                new RemoteProcess(number, message -> line.run(() -> line.send(remote.agent(), message)));
        RankProcess rank = RankProcess.elsewhere(id, spare, process);
        remote.add(number, rank);
        boolean isMerged = request.streams() != null && request.streams().isMerged();
        int reader = request.streams() == null ? 0 : request.streams().reader();
        boolean readsInput = RankProcess.isReader(id, reader) && !TerminalInput.isOthers();
        AgentMessage start =
                new AgentMessage.Start(number, id, spare, localRank, command, environment, isMerged, readsInput);
        line.run(() -> start(remote, rank, start));
        return rank;
    }

    /** On the line's thread, which alone knows whether the host has an agent now. */
    private void start(RemoteHost host, RankProcess process, AgentMessage start) {
        if (host.state == RemoteHost.State.READY) {
            line.send(host.agent(), start);
        } else {
            notStarted(host, process, "the host has no agent");
        }
    }

    private void notStarted(RemoteHost host, RankProcess process, String why) {
        RemoteHost.of(process).endStreams();
        events.onNotStarted(process, host.name(), why);
        end(process, NOT_STARTED);
    }

    /** A spare of another host got a place. */
    public void assigned(RankProcess spare, int localRank) {
        for (RemoteHost host : hosts) {
            int number = RemoteHost.of(spare).number();
            if (host != null && host.find(number) == spare) {
                line.send(host.agent(), new AgentMessage.Assigned(number, spare.id(), localRank));
            }
        }
    }

    /**
     * Ends all agents, and returns once nothing of the job is left on their hosts, as far as that can be known.
     *
     * @param isClean whether the job ended by itself
     * @param forNs how long to wait
     */
    public void end(boolean isClean, long forNs) {
        if (line == null) {
            return;
        }
        isEnding = true;
        line.run(() -> {
            for (RemoteHost host : hosts) {
                if (host != null && host.state == RemoteHost.State.STARTING && host.heardNs == 0) {
                    // An agent that calls later has no processes, and ends by itself.
                    host.state = RemoteHost.State.LEFT;
                    destroy(host);
                } else if (host != null && isReached(host)) {
                    line.send(host.agent(), new AgentMessage.End(isClean));
                } else if (host != null) {
                    destroy(host);
                }
            }
        });
        long untilNs = System.nanoTime() + forNs;
        synchronized (this) {
            while (isAnyLeft() && System.nanoTime() < untilNs) {
                try {
                    wait(20);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
        for (RemoteHost host : hosts) {
            if (host != null && isReached(host)) {
                events.onNotice("host " + host.name() + " has not said that nothing is left there of the job");
            }
        }
    }

    private static void destroy(RemoteHost host) {
        if (host.starter != null) {
            host.starter.process().destroy();
        }
    }

    private static boolean isReached(RemoteHost host) {
        boolean hasAgent = host.state == RemoteHost.State.READY || host.state == RemoteHost.State.STARTING;
        return hasAgent && host.lostBecause == null;
    }

    private boolean isAnyLeft() {
        for (RemoteHost host : hosts) {
            if (host != null && isReached(host)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        if (line != null) {
            line.close();
        }
        for (RemoteHost host : hosts) {
            if (host != null) {
                destroy(host);
            }
        }
    }

    // ---- starting, on the line's thread

    private void startWaiting() {
        if (isEnding) {
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
        if (!waiting.isEmpty() && starter.isForAll()) {
            start(waiting);
            return;
        }
        for (RemoteHost host : waiting) {
            if (starting++ < starter.mostAtOnce()) {
                start(List.of(host));
            }
        }
    }

    private void start(List<RemoteHost> some) {
        List<String> command = starter.command(some);
        String spec = spec().toLine();
        int[] attempts = new int[some.size()];
        for (int i = 0; i < attempts.length; i++) {
            attempts[i] = some.get(i).attempt;
            some.get(i).state = RemoteHost.State.STARTING;
        }
        try {
            if (starter.isManual()) {
                tellUser(some, spec);
                return;
            }
            AgentStarter.Running[] running = new AgentStarter.Running[1];
            running[0] = AgentStarter.start(
                    command,
                    spec,
                    () -> line.run(() -> {
                        for (int i = 0; i < attempts.length; i++) {
                            if (some.get(i).attempt == attempts[i]) {
                                onStarterEnded(some.get(i), running[0]);
                            }
                        }
                    }));
            some.forEach(host -> host.starter = running[0]);
        } catch (IOException refused) {
            some.forEach(host -> lost(host, "cannot start " + command.get(0) + ": " + refused.getMessage()));
        }
    }

    private void tellUser(List<RemoteHost> some, String spec) throws IOException {
        for (RemoteHost host : some) {
            Path file = directory.resolve("agent." + host.index + "." + host.attempt);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, spec + "\n", StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
            events.onNotice("start on " + host.name() + ": "
                    + ShellWords.quoted(starter.agent(Integer.toString(host.index))) + " < " + file
                    + " (the file holds the job's secret: copy it so that others cannot read it)");
        }
    }

    private AgentSpec spec() {
        List<AgentSpec.Host> all = new ArrayList<>();
        for (int index = 0; index < hosts.size(); index++) {
            RemoteHost host = hosts.get(index);
            String name = jobHosts.hosts().get(index).name();
            int processes = jobHosts.processesOn(index);
            all.add(
                    host == null
                            ? new AgentSpec.Host(name, 0, 0, 0, 0, processes)
                            : new AgentSpec.Host(name, host.key, host.formerKey, host.nonce, host.attempt, processes));
        }
        return new AgentSpec(
                runId,
                request.size(),
                request.maxRestarts(),
                secret,
                launcherNonce,
                addresses,
                line.port(),
                rendezvousPort,
                options.toSettings(),
                configuration,
                request.bindTo(),
                request.cpuList(),
                all,
                request.commands());
    }

    private void onStarterEnded(RemoteHost host, AgentStarter.Running running) {
        boolean isOver = host.state == RemoteHost.State.LEFT || host.state == RemoteHost.State.GONE;
        if (isOver || host.state == RemoteHost.State.LOST) {
            return;
        }
        if (isEnding) {
            host.state = RemoteHost.State.LEFT;
            return;
        }
        String how = "the command that started its agent ended with code "
                + running.process().exitValue() + running.words();
        lost(host, how);
    }

    /** The agent of a host is dead, or so it seems: another one finds out. */
    private void lost(RemoteHost host, String why) {
        boolean wasReady = host.state == RemoteHost.State.READY;
        host.state = RemoteHost.State.LOST;
        host.lostBecause = why;
        if (!isTold) {
            isTold = true;
            events.onFailed(host.name(), why);
            return;
        }
        if (wasReady && host.attempt == 0 && !isEnding) {
            events.onNotice("host " + host.name() + " has lost its agent (" + why + "); another one is started");
            host.attempt++;
            host.formerKey = host.key;
            host.key = RandomBytes.nextLong();
            host.nonce = RandomBytes.nextLong();
            line.admit(AgentLine.agent(host.index, host.attempt, host.nonce));
            host.state = RemoteHost.State.WAITING;
            startWaiting();
        }
    }

    /** Nothing can be known of a host any more: its processes count as dead. */
    private void giveUp(RemoteHost host, String why) {
        host.state = RemoteHost.State.GONE;
        if (!isEnding) {
            events.onNotice("host " + host.name() + " is given up, with its processes: " + why);
        }
        line.abandon(host.agent());
        endAll(host);
    }

    /** No process of the host that was started before now is left. */
    private void endAll(RemoteHost host) {
        for (RankProcess process : host.all()) {
            end(process, KILLED);
            RemoteHost.of(process).endStreams();
        }
    }

    private void end(RankProcess process, int exitCode) {
        RemoteProcess remote = RemoteHost.of(process);
        if (remote.died()) {
            events.died(process, exitCode);
        }
        if (remote.ended(exitCode)) {
            events.ended(process, exitCode);
        }
    }

    // ---- the line, on its thread

    @Override
    public void onMessage(ProcessId from, AgentMessage message) {
        RemoteHost host = hosts.get(from.slot() - 1);
        host.heardNs = System.nanoTime();
        if (message instanceof AgentMessage.Ready ready) {
            onReady(host, ready);
        } else if (message instanceof AgentMessage.Unable unable) {
            lost(host, unable.why());
        } else if (message instanceof AgentMessage.Left) {
            onLeft(host);
        } else {
            onProcess(host, message);
        }
    }

    private void onReady(RemoteHost host, AgentMessage.Ready ready) {
        host.state = RemoteHost.State.READY;
        host.lostBecause = null;
        if (firstAddress == null) {
            firstAddress = ready.launcher();
        }
        if (host.attempt > 0) {
            events.onNotice("host " + host.name() + " has an agent again");
            endAll(host);
        }
        startWaiting();
        if (!isTold && hosts.stream().allMatch(each -> each == null || each.state == RemoteHost.State.READY)) {
            isTold = true;
            events.onReady(firstAddress);
        }
    }

    private void onLeft(RemoteHost host) {
        if (isEnding) {
            host.state = RemoteHost.State.LEFT;
        } else if (host.state == RemoteHost.State.READY) {
            // It was ended from outside, and has ended its processes.
            lost(host, "it was ended");
        }
        endAll(host);
        synchronized (this) {
            notifyAll();
        }
    }

    private void onProcess(RemoteHost host, AgentMessage message) {
        RankProcess process;
        if (message instanceof AgentMessage.Started started) {
            process = host.find(started.number());
            RemoteHost.of(process).started(started.pid());
        } else if (message instanceof AgentMessage.NotStarted not) {
            notStarted(host, host.find(not.number()), not.why());
        } else if (message instanceof AgentMessage.Died died) {
            process = host.find(died.number());
            if (RemoteHost.of(process).died()) {
                events.died(process, died.exitCode());
            }
        } else if (message instanceof AgentMessage.Ended ended) {
            end(host.find(ended.number()), ended.exitCode());
        } else if (message instanceof AgentMessage.Unreaped unreaped) {
            events.unreaped(host.find(unreaped.number()));
        } else if (message instanceof AgentMessage.Looked looked) {
            process = host.find(looked.number());
            RemoteHost.of(process).looked(looked.state());
            events.looked(process, looked.state(), looked.isKillPending());
        } else if (message instanceof AgentMessage.Output output) {
            RemoteHost.of(host.find(output.number())).output(output.isOut(), output.bytes());
        } else if (message instanceof AgentMessage.InputRead read) {
            RemoteHost.of(host.find(read.number())).inputRead(read.bytes());
        } else if (message instanceof AgentMessage.InputClosed closed) {
            RemoteHost.of(host.find(closed.number())).inputClosed();
        }
    }

    @Override
    public void onLinkLost(ProcessId end) {
        RemoteHost host = hosts.get(end.slot() - 1);
        if (end.equals(host.agent()) && host.lostBecause == null) {
            host.lostBecause = "nothing reaches it";
        }
    }

    @Override
    public void onLinkRestored(ProcessId end) {
        RemoteHost host = hosts.get(end.slot() - 1);
        if (host.state == RemoteHost.State.READY) {
            host.lostBecause = null;
        }
    }

    @Override
    public void onExcluded() {
        // No agent holds its launcher for dead.
    }

    @Override
    public void onTick(long nowNs) {
        for (RemoteHost host : hosts) {
            if (host == null) {
                continue;
            }
            boolean isAwaited = host.state == RemoteHost.State.READY || host.state == RemoteHost.State.LOST;
            boolean isStarted = host.state == RemoteHost.State.STARTING || host.state == RemoteHost.State.WAITING;
            boolean isReplaced = host.attempt > 0 && isStarted;
            boolean isUnseen = starter.isForAll() || starter.isManual();
            if (isUnseen
                    && host.state == RemoteHost.State.READY
                    && host.attempt == 0
                    && host.lostBecause != null
                    && nowNs - host.heardNs >= options.leaseNs() / 2) {
                // The command that has started it would not end with it.
                lost(host, host.lostBecause);
            }
            if (isTold
                    && (isAwaited || isReplaced)
                    && host.heardNs != 0
                    && nowNs - host.heardNs
                            >= options.leaseNs() + options.timing().detectorTimeoutNs() / 2) {
                giveUp(host, host.lostBecause == null ? "nothing was heard of it" : host.lostBecause);
            }
        }
        if (!isTold && !isEnding && nowNs - startedNs >= options.joinTimeoutNs()) {
            isTold = true;
            StringBuilder missing = new StringBuilder();
            for (RemoteHost host : hosts) {
                if (host != null && host.state != RemoteHost.State.READY) {
                    missing.append(missing.length() == 0 ? "" : ", ").append(host.name());
                }
            }
            events.onFailed(missing.toString(), "no agent has called within ulfm.rdzv.join");
        }
    }

    @Override
    public void onBroken(Throwable why) {
        events.onFailed("this", "the line to the agents is broken: " + why);
    }
}
