package org.ulfmj.check.rendezvous.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.JoinSession;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreWelcome;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/** A simulated process that asks the store, over connections that break. It dials again each time. */
final class Caller implements ClientListener, Consumer<RendezvousMessage> {
    private final Simulation world;
    private final LinkDelays delays;
    private final SeededRandom random;
    private final LauncherHost launcher;
    private final ProcessId id;
    private final int node;
    private final List<Caller> predecessors;
    private final JoinSession session;
    private final List<Asked> asked = new ArrayList<>();
    private Dial current;
    private boolean isConnected;
    private boolean hasEnded;
    private long attempts;

    /**
     * @param node the node of the process, which is also its nonce
     * @param predecessors the earlier processes of its slot
     */
    Caller(
            Simulation world,
            LinkDelays delays,
            LauncherHost launcher,
            ProcessId id,
            int node,
            List<Caller> predecessors) {
        this.world = world;
        this.delays = delays;
        this.random = world.random("caller " + node);
        this.launcher = launcher;
        this.id = id;
        this.node = node;
        this.predecessors = List.copyOf(predecessors);
        this.session =
                new JoinSession(new MemberRecord(id, node, 0, "127.0.0.1", 1, "", new HostProcess(node, 1, 1, "boot")));
    }

    ProcessId id() {
        return id;
    }

    int node() {
        return node;
    }

    long nonce() {
        return node;
    }

    List<Caller> predecessors() {
        return predecessors;
    }

    long storeSession() {
        return session.storeSession();
    }

    Dial current() {
        return current;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /** Whether this process is part of the world. */
    boolean isRunning() {
        return session.state() == JoinSession.State.RUNNING;
    }

    /** Whether another launcher has taken the place of the first one. */
    boolean hasLostItsLauncher() {
        return launcher.hasBegunAnew();
    }

    /** All requests so far. */
    List<Asked> asked() {
        return asked;
    }

    void dial() {
        if (!hasEnded) {
            isConnected = false;
            current = new Dial(world, delays, launcher, this, ++attempts);
            current.hello();
        }
    }

    /** Breaks the present connection, or the dial that is under way. The process dials again at once, or later. */
    void breakLine() {
        if (hasEnded || current == null) {
            return;
        }
        world.cover(isConnected ? StoreScenario.BROKEN : StoreScenario.BROKEN_DIAL);
        current.lose(random.chance(50));
        current = null;
        isConnected = false;
        long afterNs = random.chance(50) ? 1 : random.between(0, 20 * delays.unitNs());
        world.faultAt(world.nowNs() + afterNs, this::dial);
    }

    /** Ends this process. What it had sent may still arrive. */
    void end() {
        hasEnded = true;
        if (current != null) {
            current.lose(random.chance(50));
        }
    }

    void welcome(Dial over, StoreWelcome welcome) {
        if (over == current && !hasEnded) {
            isConnected = true;
            session.onWelcome(welcome.boot(), welcome.session(), this);
            session.onConnected(this);
        }
    }

    void hear(Dial over, RendezvousMessage message) {
        if (over == current && isConnected && !hasEnded) {
            session.onMessage(message, this, this);
            asked.forEach(Asked::check);
        }
    }

    /**
     * Makes a request to the store, also while no connection stands. Returns null without asking if this process has
     * ended or has never been connected, or if too many of its requests are unanswered.
     */
    Asked ask(StoreRequest request) {
        if (hasEnded || storeSession() == 0) {
            return null;
        }
        StoreReply reply = session.ask(request, this);
        if (reply == null) {
            return null;
        }
        Asked one = new Asked(this, request, reply);
        asked.add(one);
        return one;
    }

    void withdraw(Asked one) {
        one.withdrawn();
        session.withdraw(one.reply(), this);
    }

    @Override
    public void accept(RendezvousMessage message) {
        if (isConnected) {
            current.toLauncher(message);
        }
    }

    @Override
    public void onDeath(ProcessId process, String reason) {}

    @Override
    public void onDeparted(ProcessId process) {}

    @Override
    public void onFence(String reason) {
        hasEnded = true;
        if (!launcher.holdsForEnded(this)) {
            throw new Violation("only a process that is held for ended fences itself: " + this + " did, as " + reason);
        }
    }

    @Override
    public void onAbort(int code, String reason) {}

    @Override
    public void onLauncherLost(String reason) {}

    @Override
    public String toString() {
        return "process " + id;
    }
}
