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
 * The agents of a job's other hosts, in the launcher: starts them, passes orders for processes to them, and reports
 * what happens to agents and processes. An agent that was ready and dies while its host is used is replaced; its
 * replacement is not. The replacement ends all that is left of the host's processes, which proves their ends. If an
 * agent is not heard for longer than a lease, the launcher is told, and may give up its host.
 *
 * <p>In a job whose hosts are {@linkplain #discovering discovered} only the launcher's own host is known at first.
 * Other hosts are {@linkplain #add added}; each of them gets an agent, is {@linkplain #release released} when it is not
 * needed, and may be used again.
 *
 * <p>Events come on the thread of the line. {@link #part} and {@link #close} may wait a second for the end of that
 * thread.
 */
public final class Agents implements AgentLine.Listener, AutoCloseable {
    private static final String ANY_IPV6 = "::";
    private static final String ANY_IPV4 = "0.0.0.0";
    /** The name of the launcher's own host in a job whose hosts are discovered, whatever other names the host has. */
    public static final String HERE = "localhost";

    /** Is told what happens to agents and to their processes. Methods are called on the thread of the line. */
    public interface Events extends DeathWatch.Findings {
        /**
         * Every other host of the job has an agent now.
         *
         * @param address the launcher's address at which the first agent reached it
         */
        void onReady(String address);

        /**
         * The agent of a host could not be started, has not called in time, or was lost, before the job began; or the
         * line to all agents is broken.
         */
        void onFailed(String host, String why);

        /**
         * A discovered host has an agent now.
         *
         * @param address the launcher's address at which the first agent reached it
         */
        void onUsable(int host, String address);

        /**
         * A discovered host has no agent, and gets none before {@link Agents#begin}.
         *
         * @param why the reason for the user; null if the user was told already
         */
        void onUnusable(int host, String why);

        /** A line about a host that the user should see. */
        void onNotice(String line);

        /** An agent was heard. Called for its messages, but no more often than the judge of silences needs. */
        void onAgentHeard(int host);

        /**
         * No message reaches the agent of a host, or the agent has ended or could not be started. Until it or another
         * agent is heard, the launcher can do nothing on this host.
         */
        void onAgentLost(int host);

        /**
         * No agent of a host was heard for longer than a lease. Called again while that lasts.
         *
         * @param isForTwo whether a second lease has passed too: processes that were told to end after the first one
         *     have ended, or their leases are over
         */
        void onAgentSilent(int host, String why, boolean isForTwo);

        /** A process that counted as ended without proof has really ended. */
        void onProven(ProcessId process);

        /** An answer to {@link #askCoreWaits}; comes each time that there is something new. */
        void onCoreWaited(ProcessId process, long question, long waitedNs);

        /** A process could not be started on its host; its end is reported too. */
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
    /** The other hosts, by index; null at the index of the launcher's own host. */
    private final List<RemoteHost> hosts = new CopyOnWriteArrayList<>();

    private final RemoteEnds ends;
    private final HostStates states;
    /** The handlers of the agents' news, by host index; null at the index of the launcher's own host. */
    private final List<HostNews> news = new CopyOnWriteArrayList<>();

    private List<String> addresses;
    /** Null until the first other host is known. */
    private AgentLine line;

    private AgentFaults faults;
    private int rendezvousPort;
    private Path directory;
    private String configuration;

    /** Makes the agents of a job whose hosts are given. */
    public Agents(
            LaunchRequest request,
            JobHosts jobHosts,
            Installation ours,
            String runId,
            JobSecret secret,
            Events events) {
        this(request, jobHosts, false, ours, runId, secret, events);
    }

    /** Makes the agents of a job whose hosts are discovered. A host's name is the one under which it is added. */
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

    /**
     * Whether other hosts may reach this host. True also if the user names networks that this host does not have, so
     * that the error is reported later.
     */
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
     * @return the address, as a literal, on which the launcher is to wait for ranks
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
     * Sets what agents need to know; called before any agent is started.
     *
     * @param port the port at which the launcher waits for ranks
     * @param jobDirectory the directory of the launcher
     * @param jobConfiguration the configuration that the processes of every other host are to read
     */
    public void prepare(int port, Path jobDirectory, String jobConfiguration) {
        rendezvousPort = port;
        directory = jobDirectory;
        configuration = jobConfiguration;
    }

    /**
     * Begins to start the agents of the hosts that are known.
     *
     * @throws IOException if the launcher cannot open the port on which agents call
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

    /** Returns the address at which other hosts most likely reach this one. Called after {@link #bindAddress}. */
    public String likeliestAddress() {
        return addresses.get(0);
    }

    /** How many hosts there are, or were. */
    public int count() {
        return hosts.size();
    }

    /**
     * Adds a discovered host, which gets no agent before {@link #begin}. Returns its index.
     *
     * @throws IOException if the launcher cannot open the port on which agents call
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
     * Begins to start an agent on a discovered host; {@link Events#onUsable} or {@link Events#onUnusable} follows,
     * unless the host is released or the job ends before. Does nothing if the host has an agent or awaits one, or once
     * the job ends.
     *
     * @param slots the present number of the host's slots
     */
    public void begin(int host, int slots) {
        RemoteHost remote = hosts.get(host);
        JobHosts.JobHost present = new JobHosts.JobHost(remote.name(), slots, false);
        line.run(() -> states.begin(remote, present));
    }

    /**
     * Ends the agent of a discovered host on which no process runs or is to be started. Does nothing while output of
     * its processes has not arrived.
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

    /** Whether processes can be started on a host now. */
    public boolean isReady(int host) {
        RemoteHost remote = hosts.get(host);
        return remote == null
                || remote.state == RemoteHost.State.READY
                        && !remote.isWantedBack
                        && !remote.isLost
                        && !remote.isReleased;
    }

    /** Returns the host's name for users; {@link #HERE} for the launcher's own host if the hosts are discovered. */
    public String name(int host) {
        RemoteHost remote = hosts.get(host);
        return remote == null ? jobHosts.hosts().get(host).name() : remote.name();
    }

    /** Returns how many processes a host has at first; for a discovered host, how many it has slots for. */
    private int processesOn(int host) {
        return isDiscovering ? Math.min(hosts.get(host).named.slots(), request.size()) : jobHosts.processesOn(host);
    }

    /** Returns the processes that were started on another host, including those that have ended. */
    public List<RankProcess> processesOf(int host) {
        return hosts.get(host).all();
    }

    /** Notes that a host is lost: no process is started there until its agent is heard again. */
    public void lost(int host) {
        hosts.get(host).isLost = true;
    }

    /** Whether a host was {@link #lost} and has not been heard since. */
    public boolean isLost(int host) {
        return hosts.get(host).isLost;
    }

    /** Makes a process count as ended, because its lease is over. */
    public void presumeEnded(RankProcess process) {
        line.run(() -> ends.presume(process));
    }

    /** Kills a process that counted as ended without proof, if its agent can be reached. */
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
     * Asks the agent of a process how long the process waits for a core from now on; {@link Events#onCoreWaited} brings
     * the answers.
     *
     * @param pid the pid that the process itself has told
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

    /** Makes the agent of a host kill itself, as a fault of a fault plan. */
    public void kill(int host) {
        line.run(() -> faults.kill(host));
    }

    /**
     * Cuts the line between the launcher and the agents that a partition separates from it, as a fault of a fault plan.
     *
     * @param durationNs for how long; 0 for as long as the job runs
     */
    public void partition(HostChoice partition, long durationNs) {
        line.run(() -> faults.partition(partition, durationNs, System.nanoTime()));
    }

    /**
     * Gives up a host about which nothing can be known any more: its processes count as dead. Does nothing if an agent
     * of it was heard meanwhile.
     */
    public void giveUp(int host, String why) {
        line.run(() -> states.giveUpIfSilent(hosts.get(host), why));
    }

    /** How many processes run on another host. */
    public int running(int host) {
        return hosts.get(host).running();
    }

    /**
     * Starts a process on another host. If that fails later, {@link Events#onNotStarted} says so.
     *
     * @param id its slot and incarnation; null for a spare
     * @param localRank the index among the processes of its host
     * @param command the index of its command
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

    /** Runs on the line's thread, which alone knows whether the host has an agent now. */
    private void start(RemoteHost host, RankProcess process, AgentMessage start) {
        if (host.state == RemoteHost.State.READY) {
            line.send(host.agent(), start);
        } else {
            ends.notStarted(host, process, "the host has no agent");
        }
    }

    /** Tells the agent of a spare that the spare got a place. */
    public void assigned(RankProcess spare, int localRank) {
        for (RemoteHost host : hosts) {
            int number = RemoteHost.of(spare).number();
            if (host != null && host.find(number) == spare) {
                line.send(host.agent(), new AgentOrder.Assigned(number, spare.id(), localRank));
            }
        }
    }

    /**
     * Tells all agents that can be reached to end all that is left of the job on their hosts, and themselves. Ends the
     * commands that started the other agents.
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
                    // If this agent calls after all, it has no processes, and it ends by itself.
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

    /**
     * Returns the names of the hosts whose agents can be reached, or are starting and not in the place of dead ones,
     * and have not said yet that nothing of the job is left there.
     */
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

    /**
     * Closes the lines to all agents, but ends neither the agents nor the commands that have started them: the ranks
     * there may go on.
     */
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

    /** Returns the specification for agents that are started now. On the line's thread. */
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
            // The news is handled before the judge of silences is told that the agent was heard: the judge then takes
            // it that all earlier news has arrived.
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
