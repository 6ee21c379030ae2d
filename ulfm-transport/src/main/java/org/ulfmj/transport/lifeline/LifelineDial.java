package org.ulfmj.transport.lifeline;

import java.io.IOException;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * The attempts of this rank to open a lifeline to one neighbour, until one attempt succeeds or the link budget is
 * spent.
 */
final class LifelineDial {
    private static final long PAUSE_NS = 20_000_000;

    private final Lifelines owner;
    private final LinkIdentity peer;
    private final String path;
    private final Timing timing;
    private long giveUpNs;
    private boolean hasBegun;
    /** The time at which the present attempt is given up, or at which the pause before the next attempt ends. */
    private long deadlineNs;

    private Lifeline current;

    LifelineDial(Lifelines owner, LinkIdentity peer, String path, Timing timing) {
        this.owner = owner;
        this.peer = peer;
        this.path = path;
        this.timing = timing;
    }

    LinkIdentity peer() {
        return peer;
    }

    long deadlineNs() {
        return deadlineNs;
    }

    void attempt(long nowNs) {
        if (!hasBegun) {
            hasBegun = true;
            giveUpNs = nowNs + timing.linkBudgetNs();
        }
        deadlineNs = nowNs + timing.linkRtoNs();
        try {
            current = Lifeline.dial(owner, this, path);
        } catch (IOException e) {
            onFailed(nowNs);
        }
    }

    void onFailed(long nowNs) {
        current = null;
        deadlineNs = nowNs + PAUSE_NS;
        if (nowNs - giveUpNs >= 0) {
            owner.onUnreachable(peer.id());
        }
    }

    void onTick(long nowNs) {
        if (nowNs - deadlineNs < 0) {
            return;
        }
        if (current != null) {
            current.close();
            onFailed(nowNs);
        } else {
            attempt(nowNs);
        }
    }

    void close() {
        if (current != null) {
            current.close();
        }
    }
}
