package org.ulfmj.launch.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.process.TerminalInput;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.HostChoice;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * The agents of a job's other hosts, in the launcher: starts them, hands processes to them, and tells what becomes of
 * both. An agent that dies is replaced once: the next one leaves nothing of the host's processes, which proves their
 * ends. Of an agent that is not heard for longer than a lease the launcher is told, and may give up its host.
 *
 * <p>In a job whose hosts are {@linkplain #discovering discovered} none but the launcher's own is known at first.
 * Others are {@linkplain #add added}; each of them gets an agent, is {@linkplain #release released}, and may come back.
 *
 * <p>The methods for the launcher's main thread return at once. Events come on the thread of the line.
 */
public final class Agents implements AgentLine.Listener, AutoCloseable {
    private static final String ANY_IPV6 = "::";
    private static final String ANY_IPV4 = "0.0.0.0";
    /** The launcher's own host where the hosts are discovered, no matter which other names it has. */
    public static final String HERE = "localhost";

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

        /**
         * A discovered host has an agent.
         *
         * @param address of the launcher, at which the first of them reached it
         */
        void onUsable(int host, String address);

        /**
         * A discovered host has no agent, and gets none before {@link Agents#begin}.
         *
         * @param why null if the user was told
         */
        void onUnusable(int host, String why);

        /** Something that the user wants to know of a host. */
        void onNotice(String line);

        /** An agent was heard. Comes at each message, but not more often than the judge of silences needs it. */
        void onAgentHeard(int host);

        /**
         * Nothing reaches the agent of a host, or it has ended: until it, or another one, is heard none can act there.
         */
        void onAgentLost(int host);

        /**
         * No agent of a host was heard for longer than a lease. Comes again while that is so.
         *
         * @param isForTwo whether it is longer than two leases: processes that were told to end after the first one
         *     have done so, or their leases are over
         */
        void onAgentSilent(int host, String why, boolean isForTwo);

        /** A process that counted as ended has ended. */
        void onProven(ProcessId process);

        /** The answer to {@link #askCoreWaits}; comes as often as there is something new. */
        void onCoreWaited(ProcessId process, long question, long waitedNs);

        /** A process could not be started; its end is told too. */
        void onNotStarted(RankProcess process, String host, String why);
    }

    private final LaunchRequest request;
    private final Options options;
    private final JobHosts jobHosts;
    private final boolean isDiscovering;
    private final String runId;
    private final JobSecret secret;
    private final AgentStarter starter;
    private final Events events;
    private final long launcherNonce = RandomBytes.nextLong();
    /** By index; null for the launcher's own host. */
    private final List<RemoteHost> hosts = new CopyOnWriteArrayList<>();

    private final RemoteEnds ends;
    private final HostStates states;
    /** By index; null for the launcher's own host. */
    private final List<HostNews> news = new CopyOnWriteArrayList<>();

    private List<String> addresses;
    /** Null before the first other host is known. */
    private AgentLine line;

    private AgentFaults faults;
    private int rendezvousPort;
    private Path directory;
    private String configuration;

    /** The agents of a job with these hosts. */
    public Agents(
            LaunchRequest request,
            JobHosts jobHosts,
            Installation ours,
            String runId,
            JobSecret secret,
            Events events) {
        this(request, jobHosts, false, ours, runId, secret, events);
    }

    /** The agents of a job whose hosts are discovered. Their names are those under which they are added. */
    public static Agents discovering(
            LaunchRequest request, Installation ours, String runId, JobSecret secret, Events events) {
        JobHosts own = new JobHosts(
                List.of(new JobHosts.JobHost(HERE, request.size(), true)),
                Collections.nCopies(request.size(), 0),
                request.elastic().agents());
        return new Agents(request, own, true, ours, runId, secret, events);
    }

    private Agents(
            LaunchRequest request,
            JobHosts jobHosts,
            boolean isDiscovering,
            Installation ours,
            String runId,
            JobSecret secret,
            Events events) {
        this.request = request;
        this.isDiscovering = isDiscovering;
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
        ends = new RemoteEnds(events);
        states = new HostStates(options, hosts, ends, events, starter, isDiscovering);
        for (RemoteHost host : hosts) {
            news.add(host == null ? null : new HostNews(host, states, ends, events));
        }
    }

    /** Whether other hosts may reach this one; also where the user names networks that it does not have. */
    public static boolean canReachThis(Options options) {
        try {
            Addresses.of(options.netInterface());
            return true;
        } catch (IOException none) {
            return !options.netInterface().isEmpty();
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
     * Before any agent is started.
     *
     * @param port where the launcher waits for ranks
     * @param jobDirectory of the launcher
     * @param jobConfiguration which every host's processes are to read
     */
    public void prepare(int port, Path jobDirectory, String jobConfiguration) {
        rendezvousPort = port;
        directory = jobDirectory;
        configuration = jobConfiguration;
    }

    /**
     * Begins to start the agents of the hosts that are known.
     *
     * @throws IOException if the launcher cannot wait for them
     */
    public void start() throws IOException {
        LinkIdentity self = new LinkIdentity(ProcessId.of(AgentLine.LAUNCHER), launcherNonce);
        line = new AgentLine(self, secret, options, bindAddress(), this);
        faults = new AgentFaults(hosts, line);
        List<MemberRecord> records = new ArrayList<>();
        for (RemoteHost host : hosts) {
            if (host != null) {
                records.add(AgentLine.agent(host.index, host.attempt, host.nonce));
            }
        }
        AgentStarts starts =
                new AgentStarts(starter, hosts, states, line, this::spec, directory, events, isDiscovering);
        states.begin(starts, line);
        line.start(records);
        line.run(starts::startWaiting);
    }

    /** The likeliest one of the addresses at which other hosts may reach this one. After {@link #bindAddress}. */
    public String likeliestAddress() {
        return addresses.get(0);
    }

    /** How many hosts there are, or were. */
    public int count() {
        return hosts.size();
    }

    /**
     * Adds a discovered host, which has no agent before {@link #begin}. Returns its index.
     *
     * @throws IOException if the launcher cannot wait for agents
     */
    public int add(String name) throws IOException {
        if (line == null) {
            start();
        }
        int index = hosts.size();
        RemoteHost host = new RemoteHost(index, new JobHosts.JobHost(name, 0, false), 0, 0, RemoteHost.State.LEFT);
        news.add(new HostNews(host, states, ends, events));
        hosts.add(host);
        return index;
    }

    /**
     * Has an agent started on a discovered host; {@link Events#onUsable} or {@link Events#onUnusable} follows. Does
     * nothing while anything of the last one may be left.
     *
     * @param slots of the host now
     */
    public void begin(int host, int slots) {
        RemoteHost remote = hosts.get(host);
        JobHosts.JobHost present = new JobHosts.JobHost(remote.name(), slots, false);
        line.run(() -> states.begin(remote, present));
    }

    /**
     * Has the agent of a discovered host leave: no process is there, and none is to be started. Does nothing while
     * output of processes is on its way.
     */
    public void release(int host) {
        RemoteHost remote = hosts.get(host);
        for (RankProcess process : remote.all()) {
            if (!RemoteHost.of(process).hasAllOutput(isMerged())) {
                return;
            }
        }
        line.run(() -> states.release(remote));
    }

    private boolean isMerged() {
        return request.streams() != null && request.streams().isMerged();
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
        RemoteHost remote = hosts.get(host);
        return remote == null
                || remote.state == RemoteHost.State.READY
                        && !remote.isWantedBack
                        && !remote.isLost
                        && !remote.isReleased;
    }

    /** The host's name, as the user or the batch system wrote it. */
    public String name(int host) {
        RemoteHost remote = hosts.get(host);
        return remote == null ? jobHosts.hosts().get(host).name() : remote.name();
    }

    /** How many processes a host has at first; where slots come and go, how many it has slots for. */
    private int processesOn(int host) {
        return isDiscovering ? Math.min(hosts.get(host).named.slots(), request.size()) : jobHosts.processesOn(host);
    }

    /** The processes that were started on another host, those that have ended among them. */
    public List<RankProcess> processesOf(int host) {
        return hosts.get(host).all();
    }

    /** No process is started on a host until its agent is heard again. */
    public void lost(int host) {
        hosts.get(host).isLost = true;
    }

    /** Whether a host is {@link #lost}, and was not heard since. */
    public boolean isLost(int host) {
        return hosts.get(host).isLost;
    }

    /** The lease of a process is over, so it counts as ended. */
    public void presumeEnded(RankProcess process) {
        line.run(() -> ends.presume(process));
    }

    /** Has a process ended that counted as ended, should its agent be reached. */
    public void endPresumed(ProcessId id) {
        if (line == null) {
            return;
        }
        line.run(() -> {
            for (RemoteHost host : hosts) {
                for (RankProcess process : host == null ? List.<RankProcess>of() : host.all()) {
                    RemoteProcess remote = RemoteHost.of(process);
                    if (id.equals(process.id()) && remote.isPresumed() && host.state == RemoteHost.State.READY) {
                        line.send(host.agent(), new AgentOrder.Signal(remote.number(), "KILL", false));
                    }
                }
            }
        });
    }

    /**
     * Asks how long a process waits for a core from now on: {@link Events#onCoreWaited}.
     *
     * @param pid as the process itself has told it
     */
    public void askCoreWaits(RankProcess process, long pid, long question) {
        for (RemoteHost host : hosts) {
            if (host != null
                    && process.process() instanceof RemoteProcess remote
                    && host.find(remote.number()) == process) {
                AgentMessage order = new AgentOrder.WatchCores(process.id(), pid, question);
                line.run(() -> {
                    if (host.state == RemoteHost.State.READY) {
                        line.send(host.agent(), order);
                    }
                });
            }
        }
    }

    /** Lets the agent of a host kill itself (a fault of a plan). */
    public void kill(int host) {
        line.run(() -> faults.kill(host));
    }

    /**
     * Lets nothing pass between the launcher and the agents that a partition cuts off from it (a fault of a plan).
     *
     * @param durationNs 0 for as long as the job
     */
    public void partition(HostChoice partition, long durationNs) {
        line.run(() -> faults.partition(partition, durationNs, System.nanoTime()));
    }

    /** Nothing can be known of a host any more: its processes count as dead. */
    public void giveUp(int host, String why) {
        line.run(() -> states.giveUpIfSilent(hosts.get(host), why));
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
        int reader = request.streams() == null ? 0 : request.streams().reader();
        boolean readsInput = RankProcess.isReader(id, reader) && !TerminalInput.isOthers();
        AgentMessage start =
                new AgentOrder.Start(number, id, spare, localRank, command, environment, isMerged(), readsInput);
        line.run(() -> start(remote, rank, start));
        return rank;
    }

    /** On the line's thread, which alone knows whether the host has an agent now. */
    private void start(RemoteHost host, RankProcess process, AgentMessage start) {
        if (host.state == RemoteHost.State.READY) {
            line.send(host.agent(), start);
        } else {
            ends.notStarted(host, process, "the host has no agent");
        }
    }

    /** A spare of another host got a place. */
    public void assigned(RankProcess spare, int localRank) {
        for (RemoteHost host : hosts) {
            int number = RemoteHost.of(spare).number();
            if (host != null && host.find(number) == spare) {
                line.send(host.agent(), new AgentOrder.Assigned(number, spare.id(), localRank));
            }
        }
    }

    /**
     * Tells all agents to leave nothing of the job on their hosts, and to end.
     *
     * @param isClean whether the job ended by itself
     */
    public void end(boolean isClean) {
        if (line == null) {
            return;
        }
        states.ending();
        line.run(() -> {
            for (RemoteHost host : hosts) {
                if (host != null && host.state == RemoteHost.State.STARTING && host.heardNs == 0) {
                    // An agent that calls later has no processes, and ends by itself.
                    host.state = RemoteHost.State.LEFT;
                    destroy(host);
                } else if (host != null && isReached(host)) {
                    line.send(host.agent(), new AgentOrder.End(isClean));
                } else if (host != null) {
                    destroy(host);
                }
            }
        });
    }

    /** The names of the hosts with agents that were told to end and have not said that nothing is left there. */
    public List<String> notLeft() {
        List<String> names = new ArrayList<>();
        for (RemoteHost host : hosts) {
            if (line != null && host != null && isReached(host)) {
                names.add(host.name());
            }
        }
        return names;
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

    /** Ends the lines to all agents, and leaves them and what has started them alone: their ranks may go on. */
    public void part() {
        line.close();
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

    /** What an agent that is started now is to know. On the line's thread. */
    private AgentSpec spec() {
        List<AgentSpec.Host> all = new ArrayList<>();
        for (int index = 0; index < hosts.size(); index++) {
            RemoteHost host = hosts.get(index);
            String name = name(index);
            all.add(
                    host == null
                            ? new AgentSpec.Host(name, 0, 0, 0, 0, 0, 0)
                            : new AgentSpec.Host(
                                    name,
                                    host.key,
                                    host.formerKey,
                                    host.formerAttempt,
                                    host.nonce,
                                    host.attempt,
                                    processesOn(index)));
        }
        ElasticJob elastic = request.elastic();
        return new AgentSpec(
                runId,
                elastic == null ? request.size() : elastic.max(),
                elastic == null ? 0 : elastic.min(),
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

    // ---- the line, on its thread

    @Override
    public void onMessage(ProcessId from, AgentMessage message) {
        RemoteHost host = hosts.get(from.slot() - 1);
        if (message instanceof AgentNews told) {
            // Before the judge of silences hears that the agent is heard: it takes all as told then.
            told.tell(news.get(host.index));
        }
        states.heard(host);
    }

    @Override
    public void onLinkLost(ProcessId end) {
        RemoteHost host = hosts.get(end.slot() - 1);
        if (end.equals(host.agent())) {
            states.linkLost(host);
        }
    }

    @Override
    public void onLinkRestored(ProcessId end) {
        states.linkRestored(hosts.get(end.slot() - 1));
    }

    @Override
    public void onExcluded() {
        // No agent holds its launcher for dead.
    }

    @Override
    public void onTick(long nowNs) {
        states.tick(nowNs);
    }

    @Override
    public void onBroken(Throwable why) {
        events.onFailed("this", "the line to the agents is broken: " + why);
    }
}
