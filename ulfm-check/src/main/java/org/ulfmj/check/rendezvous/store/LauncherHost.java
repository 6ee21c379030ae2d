package org.ulfmj.check.rendezvous.store;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.SilentListener;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.rendezvous.store.StoreWelcome;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * The launcher of a simulated job: the shipped core, with a model of its sockets, which reads only the newest
 * connection of each process. It sees every answer of the store, and so which requests the store has carried out.
 */
final class LauncherHost extends SilentListener {
    private static final long LONG_NS = 1_000_000_000_000L;

    private final Simulation world;
    private final RunSpec run;
    private RendezvousCore core;
    private long boot;
    private final Map<Long, Dial> newest = new TreeMap<>();

    /** The nonces of processes that count as ended, of which no request may be carried out any more. */
    private final SortedSet<Long> over = new TreeSet<>();

    /**
     * By the nonce of the process and the number of the request: the number of the launcher, or its store, that carried
     * out a change.
     */
    private final Map<String, Long> carriedOut = new TreeMap<>();

    private final Outbox<Long, RendezvousMessage> out = this::send;

    LauncherHost(Simulation world, int size) {
        this.world = world;
        this.run = new RunSpec("run", size, 0, LONG_NS, LONG_NS / 2).withRestarts();
        this.core = new RendezvousCore(run, this, boot);
    }

    void hello(Dial dial) {
        Caller caller = dial.caller();
        StoreWelcome welcome = core.greet(caller.nonce(), dial.session(), dial.attempt());
        if (welcome == null) {
            world.cover(StoreScenario.LATE);
            return;
        }
        Dial older = newest.put(caller.nonce(), dial);
        // A process without a session at this store, for example one of an earlier launcher's, may have its dials taken
        // in any order, so this check does not apply.
        if (older != null && older.isGood() && welcome.session() != 0) {
            throw new Violation("a good connection is not displaced: dial " + older.attempt() + " of " + caller
                    + " is given up for dial " + dial.attempt());
        }
        dial.toCaller(() -> caller.welcome(dial, welcome));
    }

    void hear(Dial dial, RendezvousMessage message) {
        Caller caller = dial.caller();
        if (newest.get(caller.nonce()) != dial) {
            return;
        }
        if (message instanceof RendezvousMessage.StoreAsk ask) {
            world.log().add(world.nowNs(), caller.node(), "asks", 0, ask.id() + " " + ask.request());
            caller.predecessors().forEach(older -> over.add(older.nonce()));
        }
        core.onMessage(caller.nonce(), message, world.nowNs(), out);
    }

    private void send(long nonce, RendezvousMessage message) {
        if (message instanceof RendezvousMessage.StoreAnswer answer) {
            world.log().add(world.nowNs(), 0, "answers", (int) nonce, answer.id() + " " + answer.result());
            if (over.contains(nonce)) {
                throw new Violation("nothing of an ended process is carried out: request " + answer.id()
                        + " of process " + nonce + " was answered by " + answer.result());
            }
            noteChange(nonce, answer);
        }
        Dial dial = newest.get(nonce);
        if (dial != null) {
            dial.toCaller(() -> dial.caller().hear(dial, message));
        }
    }

    private void noteChange(long nonce, RendezvousMessage.StoreAnswer answer) {
        if (answer.result() instanceof StoreResult.Stored || answer.result() instanceof StoreResult.Sum) {
            Long before = carriedOut.putIfAbsent(nonce + " " + answer.id(), boot);
            if (before != null && before != boot) {
                throw new Violation("each request is carried out once: request " + answer.id() + " of process " + nonce
                        + " was, by two stores");
            }
        }
    }

    /** Another launcher with an empty store takes the place of this one. The scenario then breaks all connections. */
    void beginAnew() {
        newest.clear();
        core = new RendezvousCore(run, this, ++boot);
    }

    /** The number of the present launcher, from 0: how many launchers there were before it. */
    long boot() {
        return boot;
    }

    boolean hasBegunAnew() {
        return boot > 0;
    }

    /** Whether the launcher takes this process for ended, rightly or not. */
    boolean holdsForEnded(Caller caller) {
        return over.contains(caller.nonce());
    }

    /** The end of a process is reported as proven. Messages that the process had sent may still be read later. */
    void ended(Caller caller) {
        core.onEnded(caller.id(), "killed", world.nowNs(), out);
        over.add(caller.nonce());
    }

    void allowRestart(ProcessId next) {
        core.onRestartAllowed(next);
    }
}
