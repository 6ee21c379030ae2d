package org.ulfmj.check.link;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.MessageTraits;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.session.LinkRefusal;

/** The processes, connections and faults of one schedule. */
final class LinkWorld {
    static final Timing TIMING = Timing.fromTimeout(1_000_000_000L);
    static final String CROSSED = "an attempt that came too late";
    static final String TOLD = "a marked one told so";
    static final String CUT = "a connection cut";
    static final String SUCCEEDED = "a process followed by another";

    private static final int MOST_FAILURES = 8;

    private final Simulation simulation;
    private final SeededRandom random;
    private final LinkDelays delays;
    private final VirtualNetwork<Integer, Object> unused;
    private final List<LinkHost> hosts = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private final LinkPaths paths = new LinkPaths();
    private final Map<Connection.End, PeerLink> owners = new IdentityHashMap<>();
    private final boolean dialsFail;
    private final long unitNs;
    private int processes;
    /** How many more dials may fail. Without a limit, in one schedule of 300,000, all dials within the bound would. */
    private int failuresLeft = MOST_FAILURES;

    /**
     * @param longestDelayNs the longest time of a message; if it exceeds a handshake's time limit, attempts are given
     *     up while their answer is on its way
     * @param dialsFail whether dials may fail or never be answered
     */
    LinkWorld(Simulation simulation, long unitNs, long longestDelayNs, boolean dialsFail) {
        this.simulation = simulation;
        this.unitNs = unitNs;
        this.dialsFail = dialsFail;
        this.random = simulation.random("connections");
        this.delays = new LinkDelays(simulation, unitNs, longestDelayNs);
        this.unused = new VirtualNetwork<>(simulation, delays, new MessageTraits<>() {}, node -> node, node -> node);
    }

    Simulation simulation() {
        return simulation;
    }

    /** Returns the hosts of all processes that were ever started. */
    List<LinkHost> hosts() {
        return hosts;
    }

    List<Connection> connections() {
        return connections;
    }

    /** Returns the newest host of a slot. */
    LinkHost newest(int slot) {
        LinkHost newest = null;
        for (LinkHost host : hosts) {
            if (host.identity().id().slot() == slot) {
                newest = host;
            }
        }
        return newest;
    }

    /** Starts a process, which knows the newest process of each other slot. */
    LinkHost start(int slot, int incarnation, int slots) {
        int node = processes++;
        LinkIdentity identity = new LinkIdentity(new ProcessId(slot, incarnation), 1_000 + node);
        LinkHost host = new LinkHost(this, identity);
        host.liveIn(new LinkProcess(this, host, new SimProcess<>(simulation, node, unused)));
        for (int other = 0; other < slots; other++) {
            LinkHost known = other == slot ? null : newest(other);
            if (known != null) {
                host.know(known.identity());
                if (incarnation == 0) {
                    known.know(identity);
                }
            }
        }
        hosts.add(host);
        return host;
    }

    /** Adds a host for a process that exists already. The host knows all others, and they know it. */
    LinkHost join(int slot) {
        LinkIdentity identity = new LinkIdentity(ProcessId.of(slot), 1_000 + slot);
        LinkHost host = new LinkHost(this, identity);
        for (LinkHost other : hosts) {
            host.know(other.identity());
            other.know(identity);
        }
        hosts.add(host);
        return host;
    }

    /** Returns the side of a session that a process holds, or null. */
    PeerLink linkOf(LinkIdentity owner, LinkIdentity peer) {
        for (LinkHost host : hosts) {
            if (host.identity().equals(owner)) {
                return host.linkTo(peer);
            }
        }
        return null;
    }

    boolean isRunning(LinkIdentity identity) {
        return hosts.stream().anyMatch(host -> host.identity().equals(identity) && host.isRunning());
    }

    /** Makes a new connection. Null if the dial fails at once. Sometimes no process ever answers. */
    Connection.End dial(LinkHost from, int slot) {
        if (fails()) {
            return null;
        }
        Connection connection = new Connection(simulation, delays, random, paths, from, newest(slot));
        connections.removeIf(old -> old.dialer().isClosed() && old.acceptor().isClosed());
        connections.add(connection);
        belong(
                connection.dialer(),
                from.links().stream()
                        .filter(link -> link.peer().id().slot() == slot)
                        .reduce((older, newer) -> newer)
                        .orElseThrow());
        from.dialed(connection.dialer());
        int own = from.identity().id().slot();
        if (fails() || paths.isCut(own, slot) || paths.isCut(slot, own)) {
            connection.cut();
        }
        simulation.at(simulation.nowNs() + delays.delayNs(), () -> {
            if (!connection.isCut()) {
                connection.acceptor().owner().accept(connection.acceptor());
            }
        });
        return connection.dialer();
    }

    /** Whether a dial fails: a fault as every other one, after which the bounds begin anew. */
    private boolean fails() {
        boolean isDrawn = dialsFail && random.chance(10);
        if (!isDrawn || failuresLeft == 0) {
            return false;
        }
        failuresLeft--;
        simulation.faultAt(simulation.nowNs(), () -> {});
        return true;
    }

    void belong(Connection.End end, PeerLink link) {
        owners.put(end, link);
    }

    /** Returns the session that an end of a connection belongs to; null if its dialer has not sent its HELLO yet. */
    PeerLink linkOver(Connection.End end) {
        return owners.get(end);
    }

    /** Cuts one connection. Each end notices after a while, or never. */
    void cutOne() {
        List<Connection> good = connections.stream().filter(Connection::isGood).toList();
        if (good.isEmpty()) {
            return;
        }
        simulation.cover(CUT);
        cut(good.get(random.below(good.size())));
    }

    private void cut(Connection connection) {
        connection.cut();
        // 0 and 1: one end never notices. 2: neither does. 3: both notice.
        int deaf = random.chance(40) ? random.below(3) : 3;
        long mostNs = TIMING.linkBudgetNs();
        if (deaf == 1 || deaf == 3) {
            simulation.faultAt(simulation.nowNs() + random.between(0, mostNs), connection.dialer()::notice);
        }
        if (deaf == 0 || deaf == 3) {
            simulation.faultAt(simulation.nowNs() + random.between(0, mostNs), connection.acceptor()::notice);
        }
    }

    LinkPaths paths() {
        return paths;
    }

    /** Cuts all connections between two slots. */
    void cutBetween(int one, int other) {
        between(one, other).forEach(this::cut);
    }

    /** Resets all connections between two slots. Both ends notice. */
    void resetBetween(int one, int other) {
        for (Connection connection : between(one, other)) {
            simulation.faultAt(simulation.nowNs() + delays.delayNs(), connection.dialer()::notice);
            simulation.faultAt(simulation.nowNs() + delays.delayNs(), connection.acceptor()::notice);
        }
    }

    private List<Connection> between(int one, int other) {
        return connections.stream()
                .filter(Connection::isGood)
                .filter(connection -> connection.isBetween(one, other))
                .toList();
    }

    /**
     * A process has ended. Each other process is told for certain after some time, and marks it unless it has its
     * goodbye.
     */
    void ended(LinkHost host) {
        for (LinkHost other : hosts) {
            if (other != host) {
                long delayNs = random.between(0, 100 * unitNs);
                simulation.faultAt(simulation.nowNs() + delayNs, () -> other.markAfterEnd(host.identity()));
            }
        }
    }

    void sawRefusal(LinkRefusal refusal) {
        if (refusal instanceof LinkRefusal.Stale) {
            simulation.cover(CROSSED);
        }
    }

    boolean drawAtOnce() {
        return random.chance(30);
    }

    /** Draws how many frames fit into a socket at once. */
    int drawBurst() {
        return 1 + random.below(8);
    }

    long drawReadLagNs() {
        return random.between(0, 2 * unitNs);
    }
}
