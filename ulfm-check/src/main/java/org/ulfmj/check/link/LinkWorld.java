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
    /** How many more faults of dials may be drawn. */
    private int failuresLeft = MOST_FAILURES;

    /**
     * @param longestDelayNs the longest time of a message; if it exceeds a handshake's time limit, attempts may be
     *     given up while their answer is on its way
     * @param dialsFail whether it may be drawn that a dial fails at once or is never answered
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

    /** Returns the link sessions of each process that was ever started or added. */
    List<LinkHost> hosts() {
        return hosts;
    }

    List<Connection> connections() {
        return connections;
    }

    /** Returns the link sessions of the newest process of a slot; null if the slot never had one. */
    LinkHost newest(int slot) {
        LinkHost newest = null;
        for (LinkHost host : hosts) {
            if (host.identity().id().slot() == slot) {
                newest = host;
            }
        }
        return newest;
    }

    /**
     * Starts a process in a slot. It gets a session with the newest process that was started in each other slot; if its
     * incarnation is 0, each of these gets one with it.
     */
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

    /**
     * Adds the link sessions of a process that exists already: one with each process that was added before, and each of
     * these gets one with it.
     */
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

    /** Returns the owner's side of the session between two processes; null if it has none. */
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

    /**
     * Dials the newest process of a slot. Returns null if the dial fails at once. A connection may be returned on which
     * no answer ever comes.
     */
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

    /** Draws whether a dial fails or is never answered. Either counts as a fault, after which the bounds begin anew. */
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

    /**
     * Returns the session that an end of a connection belongs to; null for an accepted end on which no HELLO has been
     * read yet.
     */
    PeerLink linkOver(Connection.End end) {
        return owners.get(end);
    }

    /** Cuts one random good connection, if there is any. Each of its ends notices that after a while, or never. */
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
        // The ends that notice the cut: 0 only the acceptor, 1 only the dialer, 2 neither, 3 both.
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

    /** Cuts all good connections between two slots. */
    void cutBetween(int one, int other) {
        between(one, other).forEach(this::cut);
    }

    /** Resets all good connections between two slots, each end after a delay. */
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
     * A process has ended. Each other process is told so for certain after some time, and then marks it if it has a
     * session with the ended process and has not read its goodbye.
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
