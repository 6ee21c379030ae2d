package org.ulfmj.rendezvous;

import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;

/**
 * What the launcher of an elastic world says about one process, under the name that the process has at that moment.
 * Used on the thread of a {@link RendezvousServer}, within {@link RendezvousServer#about}.
 */
public final class WordsAboutOne {
    private final RendezvousCore core;
    private final ProcessId name;
    private final long nowNs;
    private final Outbox<Long, RendezvousMessage> out;

    WordsAboutOne(RendezvousCore core, ProcessId name, long nowNs, Outbox<Long, RendezvousMessage> out) {
        this.core = core;
        this.name = name;
        this.nowNs = nowNs;
        this.out = out;
    }

    /** The present name: a slot, or a provisional name while the process has none. */
    public ProcessId name() {
        return name;
    }

    /** As {@link RendezvousServer#ended(ProcessId, String)}. */
    public void ended(String reason) {
        core.onEnded(name, reason, nowNs, out);
    }

    /** As {@link RendezvousServer#departed(ProcessId)}. */
    public void departed() {
        core.onDeparted(name, nowNs, out);
    }

    /** As {@link RendezvousServer#fence(ProcessId, String)}. */
    public void fence(String reason) {
        core.onFence(name, reason, out);
    }

    /** As {@link RendezvousServer#signal(ProcessId, String)}. */
    public void signal(String signal) {
        core.onSignal(name, signal, out);
    }

    /** As {@link RendezvousServer#askWaits(ProcessId, long)}. */
    public void askWaits(long request) {
        core.onAskWaits(name, request, out);
    }
}
