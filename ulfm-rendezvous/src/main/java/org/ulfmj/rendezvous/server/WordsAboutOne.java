package org.ulfmj.rendezvous.server;

import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * What the owner of a {@link RendezvousServer} says about one process that it knows by its nonce, under the name that
 * the process has at that moment: in an elastic world each statement may change names. Most statements have no effect
 * for a process without a name. Used on the server's thread, within {@link RendezvousServer#about}.
 */
public final class WordsAboutOne {
    private final RendezvousCore core;
    private final long nonce;
    private final long nowNs;
    private final Outbox<Long, RendezvousMessage> out;

    WordsAboutOne(RendezvousCore core, long nonce, long nowNs, Outbox<Long, RendezvousMessage> out) {
        this.core = core;
        this.nonce = nonce;
        this.nowNs = nowNs;
        this.out = out;
    }

    /**
     * The present name: a slot, or a provisional name while the process has none; null if the process never joined, or
     * its end was told.
     */
    public ProcessId name() {
        return core.nameOf(nonce);
    }

    /** As {@link RendezvousServer#ended(ProcessId, String)}. */
    public void ended(String reason) {
        ProcessId name = name();
        if (name != null) {
            core.onEnded(name, reason, nowNs, out);
        }
    }

    /**
     * As {@link #ended}, for a process that has finalized as other evidence than its goodbye shows: perhaps no
     * coordinator has received the goodbye.
     */
    public void endedFinalized(String reason) {
        ProcessId name = name();
        if (name != null) {
            core.onEndedFinalized(name, reason, nowNs, out);
        }
    }

    /** As {@link RendezvousServer#departed(ProcessId)}. */
    public void departed() {
        ProcessId name = name();
        if (name != null) {
            core.onDeparted(name, nowNs, out);
        }
    }

    /** As {@link RendezvousServer#fence(ProcessId, String)}. */
    public void fence(String reason) {
        ProcessId name = name();
        if (name != null) {
            core.onFence(name, reason, out);
        }
    }

    /** As {@link RendezvousServer#signal(ProcessId, String)}. */
    public void signal(String signal) {
        ProcessId name = name();
        if (name != null) {
            core.onSignal(name, signal, out);
        }
    }

    /** As {@link RendezvousServer#askWaits(ProcessId, long)}. */
    public void askWaits(long request) {
        ProcessId name = name();
        if (name != null) {
            core.onAskWaits(name, request, out);
        }
    }

    /** As {@link RendezvousServer#proven(ProcessId)}. */
    public void proven() {
        core.onProven(nonce, nowNs, out);
    }

    /** As {@link RendezvousServer#looked(ProcessId, char, boolean)}. */
    public void looked(char state, boolean isKillPending) {
        ProcessId name = name();
        if (name != null) {
            core.onLooked(name, state, isKillPending, nowNs, out);
        }
    }
}
