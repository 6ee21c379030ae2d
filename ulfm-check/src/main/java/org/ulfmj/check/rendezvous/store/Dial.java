package org.ulfmj.check.rendezvous.store;

import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Simulation;

/**
 * One connection of a process to the launcher, from its dial on. Messages take time and stay in order. When the
 * connection breaks, messages to the process are lost; messages to the launcher are lost too, or still arrive at the
 * launcher that was dialed, if it is the present one.
 */
final class Dial {
    private final Simulation world;
    private final LinkDelays delays;
    private final LauncherHost launcher;
    private final Caller caller;
    private final long attempt;
    private final long session;
    private final long boot;
    private boolean losesUp;
    private boolean losesDown;
    private long upNs;
    private long downNs;

    Dial(Simulation world, LinkDelays delays, LauncherHost launcher, Caller caller, long attempt) {
        this.world = world;
        this.delays = delays;
        this.launcher = launcher;
        this.caller = caller;
        this.attempt = attempt;
        this.session = caller.storeSession();
        this.boot = launcher.boot();
    }

    Caller caller() {
        return caller;
    }

    long attempt() {
        return attempt;
    }

    /** The number of the store session that the process named when it dialed. */
    long session() {
        return session;
    }

    /** Sends the HELLO; the launcher answers it with the welcome of the store, unless the HELLO comes too late. */
    void hello() {
        up(() -> launcher.hello(this));
    }

    void toLauncher(RendezvousMessage message) {
        up(() -> launcher.hear(this, message));
    }

    private void up(Runnable arrival) {
        upNs = Math.max(upNs + 1, world.nowNs() + delays.delayNs());
        world.at(upNs, () -> {
            if (!losesUp && boot == launcher.boot()) {
                arrival.run();
            }
        });
    }

    void toCaller(Runnable arrival) {
        downNs = Math.max(downNs + 1, world.nowNs() + delays.delayNs());
        world.at(downNs, () -> {
            if (!losesDown) {
                arrival.run();
            }
        });
    }

    /**
     * Breaks this connection.
     *
     * @param isRead whether messages that are on their way to the launcher still arrive there
     */
    void lose(boolean isRead) {
        losesUp = !isRead;
        losesDown = true;
    }

    /** Whether this connection has not broken and is the present one of its process. */
    boolean isGood() {
        return !losesDown && caller.current() == this;
    }
}
