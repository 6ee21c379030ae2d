package org.ulfmj.check.rendezvous.elastic;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.check.rendezvous.joining.CoreServer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;

/**
 * The launcher of an elastic world on several hosts, with its agents: it proves ends on hosts that it reaches, and ends
 * processes there as the core asks. Checks that a process can no longer act when its lease counts as run out, unless
 * the process is paused.
 */
final class HostedLauncher extends CoreServer<Note> {
    private static final long KILL_NS = 1_000_000;

    private final Simulation world;
    private final Map<Integer, LauncherApplicant> byNode;
    private final HostsReached hosts;

    /** The nodes of the processes that were lost with their hosts. */
    private final Set<Integer> lost = new TreeSet<>();

    /** Pairs of the node that was told and the process of whose loss or end it was told. */
    private final Set<String> told = new TreeSet<>();

    private int epoch;
    private int rounds;

    HostedLauncher(
            RunSpec run,
            Simulation world,
            SimProcess<Integer, Note> process,
            Map<Integer, LauncherApplicant> byNode,
            HostsReached hosts) {
        super(run, process);
        this.world = world;
        this.byNode = byNode;
        this.hosts = hosts;
    }

    @Override
    protected Note packet(int connection, RendezvousMessage message) {
        return new Note(connection, message, null);
    }

    @Override
    protected int connectionOf(Note note) {
        return note.connection();
    }

    @Override
    protected RendezvousMessage messageOf(Note note) {
        return note.message();
    }

    @Override
    protected void says(long nonce, RendezvousMessage message) {
        LauncherApplicant one = byNode.get((int) nonce);
        if (message instanceof RendezvousMessage.Fence && one.process().isRunning() && !one.isExcused()) {
            throw new Violation("a healthy process is told to end: " + one.process() + " " + message);
        }
        if (message instanceof RendezvousMessage.Silenced silenced) {
            told.add(nonce + " " + silenced.process());
        } else if (message instanceof RendezvousMessage.Death death) {
            told.add(nonce + " " + death.process());
        }
    }

    /**
     * Handles a message. If it reports that its sender has entered the latest world, and the sender is not excused,
     * checks that the sender was told of each lost process of that world, under the name of the process there.
     */
    @Override
    public void onMessage(Integer from, Note note, long nowNs, Outbox<Integer, Note> out) {
        super.onMessage(from, note, nowNs, out);
        if (!(note.message() instanceof RendezvousMessage.Committed world)
                || world.epoch() != epoch
                || byNode.get(from).isExcused()) {
            return;
        }
        for (MemberRecord member : world.members()) {
            if (hasLost((int) member.nonce()) && !told.contains(from + " " + member.id())) {
                throw new Violation(byNode.get(from).process() + " is not told that " + member.id() + " is lost");
            }
        }
    }

    @Override
    public void onCommitted(ProcessId from, int newEpoch, List<MemberRecord> members) {
        epoch = newEpoch;
    }

    @Override
    public void onFinal() {
        epoch = 0;
        world.cover(rounds++ == 0 ? "a world" : "a later round");
    }

    /** A process is about to be started on another host. As a child of its agent, it has the number of its node. */
    void placed(LauncherApplicant one) {
        process().work(() -> core().onPlaced(ProcessId.of(one.node()), one.host()));
    }

    void agentHeard(int host) {
        process().work(() -> core().onAgentHeard(host, process().clockNs(), HostedLauncher::saysNothing));
    }

    /**
     * An agent, or this launcher on its own host, looks at a process. While no world runs, a lost process is ended
     * instead.
     */
    void looked(LauncherApplicant one) {
        if (phase() != RendezvousCore.Phase.FINAL && hasLost(one.node())) {
            one.process().crash();
            return;
        }
        process().work(() -> {
            ProcessId name = core().nameOf(one.node());
            if (name != null) {
                char state = one.process().isPaused() ? 'T' : 'S';
                core().onLooked(name, state, false, process().clockNs(), HostedLauncher::saysNothing);
            }
        });
    }

    private static void saysNothing(long nonce, RendezvousMessage message) {
        throw new Violation("what an agent tells makes the launcher say " + message);
    }

    void agentLost(int host) {
        process().input("loses the agent of", host, null, (nowNs, out) -> core().onAgentLost(host, nowNs, toAll(out)));
    }

    /** The end of a process is proven; the process may have counted as ended before. */
    void learnOfEnd(int node) {
        process().input("told of the end of", node, null, (nowNs, out) -> {
            ProcessId name = core().nameOf(node);
            if (name != null) {
                core().onEnded(name, "ended", nowNs, toAll(out));
            } else {
                core().onProven((long) node, nowNs, toAll(out));
            }
        });
    }

    void endLastCall() {
        process().input("ends the last call", NODE, null, (nowNs, out) -> core().onAllStartedJoined(nowNs, toAll(out)));
    }

    boolean hasLost(int node) {
        return lost.contains(node);
    }

    @Override
    public void onLost(int host, List<ProcessId> processes, String reason) {
        for (ProcessId each : processes) {
            lost.add(core().nonceOf(each).intValue());
        }
        world.cover("a host is lost");
    }

    @Override
    public void onLeaseOver(ProcessId name, String reason) {
        LauncherApplicant one = byNode.get(core().nonceOf(name).intValue());
        boolean mayAct = one.isRunning() || one.isPending();
        if (mayAct && !one.process().isPaused() && !one.endsNow()) {
            throw new Violation(one.process() + " is told dead and can run");
        }
        world.cover(one.process().isRunning() ? "counted as dead while it stands still" : "counted as dead");
    }

    @Override
    public void onSilent(ProcessId name, String reason) {
        LauncherApplicant one = byNode.get(core().nonceOf(name).intValue());
        if (!one.isExcused()) {
            throw new Violation("a healthy process is ended: " + one.process() + " " + reason);
        }
        world.at(world.nowNs() + KILL_NS, () -> {
            if (hosts.isReached(one.host()) && one.process().isRunning()) {
                world.cover("ended by the agent of a host that is back");
                one.process().crash();
            }
        });
    }
}
