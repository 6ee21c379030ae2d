package org.ulfmj.launch.agent;

import java.util.List;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.rendezvous.lease.GrantedLeases;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * The states of the agents of a job's other hosts, and what follows from them: a dead agent that had been ready is
 * replaced once, and the launcher is told of an agent that is not heard for longer than a lease. On the line's thread,
 * unless a method says otherwise.
 *
 * <p>The hosts of a job are either known when it begins, and it cannot begin without their agents. Or they are
 * discovered while it runs, and then a host that cannot have an agent is not used.
 */
final class HostStates {
    /**
     * About how many times per detector timeout, at most, the judge of silences is told that an agent is heard, as long
     * as the agent was not lost.
     */
    private static final int HEARD_PARTS = 20;

    private final Options options;
    private final long heardApartNs;
    private final AgentPatience patience;
    /** The other hosts, by index; null at the index of the launcher's own host. */
    private final List<RemoteHost> hosts;

    private final RemoteEnds ends;
    private final Agents.Events events;
    /**
     * Whether an agent may end without an end of a command that started it, because such a command can start several
     * agents, or because the user starts them.
     */
    private final boolean isStarterMute;

    /** Whether the user starts agents. */
    private final boolean isByUser;

    /** Whether hosts are discovered while the job runs. */
    private final boolean isDiscovering;

    private AgentStarts starts;
    private AgentLine line;
    private long startedNs;
    private String firstAddress;
    /** Whether the job was told that all its hosts have agents, or that some cannot; true if hosts are discovered. */
    private boolean isTold;

    private volatile boolean isEnding;

    HostStates(
            Options options,
            List<RemoteHost> hosts,
            RemoteEnds ends,
            Agents.Events events,
            AgentStarter starter,
            boolean isDiscovering) {
        this.options = options;
        this.isDiscovering = isDiscovering;
        this.isTold = isDiscovering;
        long timeoutNs = options.timing().detectorTimeoutNs();
        this.heardApartNs = timeoutNs / HEARD_PARTS;
        this.patience = new AgentPatience(
                GrantedLeases.countedNs(options.leaseNs()) + options.beyondLeaseNs(), options.joinTimeoutNs());
        this.hosts = hosts;
        this.ends = ends;
        this.events = events;
        this.isStarterMute = starter.isForAll() || starter.isManual();
        this.isByUser = starter.isManual();
    }

    /** Begins; called before the line begins. On the launcher's main thread. */
    void begin(AgentStarts newStarts, AgentLine newLine) {
        starts = newStarts;
        line = newLine;
        startedNs = System.nanoTime();
    }

    /**
     * Begins to start an agent on a host that has none or was given up. Does nothing for any other host, or once the
     * job ends.
     */
    void begin(RemoteHost host, JobHosts.JobHost present) {
        boolean hasNone = host.state == RemoteHost.State.LEFT || host.state == RemoteHost.State.GONE;
        if (!hasNone || isEnding) {
            return;
        }
        host.begin(present, RandomBytes.nextLong(), RandomBytes.nextLong());
        line.admit(AgentLine.agent(host.index, host.attempt, host.nonce));
        host.state = RemoteHost.State.WAITING;
        starts.startWaiting();
    }

    /** Ends the agent of a host that is not used any more and on which no process of the job is left. */
    void release(RemoteHost host) {
        if (host.isReleased || isEnding) {
            return;
        }
        boolean isOnItsWay = host.state == RemoteHost.State.WAITING || host.state == RemoteHost.State.STARTING;
        if (isOnItsWay && !host.isReplacing) {
            hasNoAgent(host);
            starts.startWaiting();
        } else if (host.state != RemoteHost.State.LEFT && host.state != RemoteHost.State.GONE) {
            host.isReleased = true;
            line.send(host.agent(), new AgentOrder.End(false));
        }
    }

    /**
     * Notes that a host has no agent, or only one that must not be heard any more. Sends SIGTERM to the command that
     * started the agent, if there is one.
     */
    private void hasNoAgent(RemoteHost host) {
        host.state = RemoteHost.State.LEFT;
        line.abandon(host.agent());
        if (host.starter != null) {
            host.starter.process().destroy();
        }
    }

    /**
     * Handles that a discovered host can have no agent, because none could be started there, or because the host is
     * wanted back (its agent got SIGTERM). The host is not tried again before the command that finds hosts has left it
     * out and then printed it again.
     */
    private void cannotBeUsed(RemoteHost host, String why) {
        hasNoAgent(host);
        events.onUnusable(host.index, why);
        starts.startWaiting();
    }

    /** Notes that the job ends: no agent is replaced any more. Any thread. */
    void ending() {
        isEnding = true;
    }

    /** Any thread. */
    boolean isEnding() {
        return isEnding;
    }

    /** Handles that a host's agent has called and can start processes. */
    void ready(RemoteHost host, String launcherAddress) {
        boolean isReplacing = host.isReplacing;
        if (isReplacing) {
            // This is done before any process is started here: all processes known now were started by the former agent
            // and have ended.
            ends.allEnded(host);
        }
        host.isReplacing = false;
        host.formerKey = 0;
        host.state = RemoteHost.State.READY;
        host.lostBecause = null;
        if (isDiscovering && host.isWantedBack) {
            // The host is wanted back, so this agent was started only to prove the ends of the processes.
            line.send(host.agent(), new AgentOrder.End(false));
            starts.startWaiting();
            return;
        }
        host.isWantedBack = false;
        if (firstAddress == null) {
            firstAddress = launcherAddress;
        }
        if (isReplacing) {
            events.onNotice("host " + host.name() + " has an agent again");
        }
        starts.startWaiting();
        if (isDiscovering) {
            events.onUsable(host.index, firstAddress);
        }
        if (!isTold && hosts.stream().allMatch(each -> each == null || each.state == RemoteHost.State.READY)) {
            isTold = true;
            events.onReady(firstAddress);
        }
    }

    /** Notes that a batch system or a user wants the host back. */
    void terminating(RemoteHost host) {
        host.isWantedBack = true;
        events.onNotice("host " + host.name() + " is wanted back (SIGTERM to its agent)");
    }

    /** Handles that the agent of a host reports its end, before which all processes that it has started have ended. */
    void left(RemoteHost host) {
        if (isEnding) {
            host.state = RemoteHost.State.LEFT;
        } else if (host.isReleased) {
            hasNoAgent(host);
        } else if (isDiscovering && host.isWantedBack) {
            cannotBeUsed(host, "it was wanted back");
        } else if (host.state == RemoteHost.State.READY) {
            // The agent has ended without an order, and has ended its processes.
            lost(host, "it was ended");
        }
        ends.allEnded(host);
    }

    /** Handles that the command which started the agent of a host has ended. */
    void starterEnded(RemoteHost host, AgentStarter.Running running) {
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

    /**
     * Handles that the agent of a host is dead, or seems so. While the job runs, another one is started in the place of
     * an agent that was ready and not released, but not a second time.
     */
    void lost(RemoteHost host, String why) {
        boolean wasReady = host.state == RemoteHost.State.READY;
        events.onAgentLost(host.index);
        host.state = RemoteHost.State.LOST;
        host.lostBecause = why;
        if (!isTold) {
            isTold = true;
            events.onFailed(host.name(), why);
            return;
        }
        if (host.isReleased) {
            hasNoAgent(host);
            // The agent has not said that nothing is left on its host.
            host.state = RemoteHost.State.GONE;
            ends.allEnded(host);
            return;
        }
        if (isDiscovering && !isEnding && !wasReady && !host.isReplacing) {
            cannotBeUsed(host, why);
            return;
        }
        if (wasReady && !host.hasBeenReplaced && !isEnding) {
            events.onNotice("host " + host.name() + " has lost its agent (" + why + "); another one is started");
            host.hasBeenReplaced = true;
            host.isReplacing = true;
            host.mayLeave();
            host.attempt++;
            host.replacedNs = System.nanoTime();
            host.key = RandomBytes.nextLong();
            host.nonce = RandomBytes.nextLong();
            line.admit(AgentLine.agent(host.index, host.attempt, host.nonce));
            host.state = RemoteHost.State.WAITING;
        }
        // Other agents may have waited for this start, which has failed.
        starts.startWaiting();
    }

    /** Notes that a message of a host's present agent has come. */
    void heard(RemoteHost host) {
        host.heardNs = System.nanoTime();
        host.silentFromNs = 0;
        if (host.isLost || host.lostBecause != null || host.heardNs - host.heardToldNs >= heardApartNs) {
            host.heardToldNs = host.heardNs;
            events.onAgentHeard(host.index);
        }
        if (host.isLost) {
            host.isLost = false;
            events.onNotice("host " + host.name() + " is heard again");
        }
    }

    /**
     * Gives up a host about which nothing can be known any more: its processes count as dead. Does nothing if that is
     * not so, for instance because an agent of it was heard meanwhile.
     */
    void giveUpIfSilent(RemoteHost host, String why) {
        if (!patience.isOver(host, System.nanoTime())) {
            return;
        }
        host.state = RemoteHost.State.GONE;
        if (!isEnding && !host.isReleased) {
            events.onNotice("host " + host.name() + " is given up, with its processes: " + why);
        }
        line.abandon(host.agent());
        ends.allEnded(host);
        if (isDiscovering && !host.isReleased) {
            events.onUnusable(host.index, null);
        }
    }

    void linkLost(RemoteHost host) {
        if (host.lostBecause == null) {
            host.lostBecause = "nothing reaches it";
            events.onAgentLost(host.index);
        }
    }

    void linkRestored(RemoteHost host) {
        if (host.state == RemoteHost.State.READY) {
            host.lostBecause = null;
        }
    }

    void tick(long nowNs) {
        for (RemoteHost host : hosts) {
            if (host != null) {
                tick(host, nowNs);
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

    private void tick(RemoteHost host, long nowNs) {
        if (isStarterMute
                && host.state == RemoteHost.State.READY
                && !host.hasBeenReplaced
                && host.lostBecause != null
                && nowNs - host.heardNs >= options.leaseNs() / 2) {
            // No command need end when this agent ends, so the silence counts as its death.
            lost(host, host.lostBecause);
        }
        if (isDiscovering && !isEnding && patience.isStartOver(host, isByUser, nowNs)) {
            lost(host, "no agent has called within " + Durations.text(patience.startNs(isByUser)));
        }
        boolean isNews = host.silenceToldNs == 0 || nowNs - host.silenceToldNs >= options.beyondLeaseNs();
        if (isTold && patience.isOver(host, nowNs) && isNews) {
            host.silenceToldNs = nowNs;
            host.silentFromNs = host.silentFromNs == 0 ? nowNs : host.silentFromNs;
            String why = host.lostBecause == null ? "nothing was heard of it" : host.lostBecause;
            events.onAgentSilent(host.index, why, patience.isOverForTwo(host, nowNs));
        }
    }
}
