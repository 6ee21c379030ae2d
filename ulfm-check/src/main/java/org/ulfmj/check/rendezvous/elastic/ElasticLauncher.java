package org.ulfmj.check.rendezvous.elastic;

import java.util.Map;
import org.ulfmj.check.rendezvous.joining.CoreServer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;

/**
 * The launcher of an elastic world. It checks that the world with which a round begins has at least the least number of
 * members, and that all of them have confirmed that round or a later one.
 */
final class ElasticLauncher extends CoreServer<Note> implements Gathering {
    private final int min;
    private final Map<Integer, LauncherApplicant> byNode;
    private boolean isClosed;

    ElasticLauncher(RunSpec run, SimProcess<Integer, Note> process, Map<Integer, LauncherApplicant> byNode) {
        super(run, process);
        this.min = run.elastic().min();
        this.byNode = byNode;
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

    /** Drops a message of a connection that broke together with the messages on it. */
    @Override
    public void onMessage(Integer from, Note note, long nowNs, Outbox<Integer, Note> out) {
        if (!byNode.get(from).hasLost(note.connection())) {
            super.onMessage(from, note, nowNs, out);
        }
    }

    @Override
    protected void says(long nonce, RendezvousMessage message) {
        if (!(message instanceof RendezvousMessage.Final begun) || begun.epoch() > 0) {
            return;
        }
        if (begun.members().size() < min) {
            throw new Violation("a world begins with enough members: this one has " + begun.members());
        }
        for (MemberRecord member : begun.members()) {
            if (byNode.get((int) member.nonce()).confirmed() < begun.round()) {
                throw new Violation(
                        "a world begins confirmed: " + member + " has not confirmed round " + begun.round());
            }
        }
    }

    void learnOfEnd(int node) {
        process().input("told of the end of", node, null, (nowNs, out) -> {
            ProcessId name = core().nameOf(node);
            if (name != null) {
                core().onEnded(name, "ended", nowNs, toAll(out));
            }
        });
    }

    void endLastCall() {
        process().input("ends the last call", NODE, null, (nowNs, out) -> core().onAllStartedJoined(nowNs, toAll(out)));
    }

    @Override
    public boolean isThere() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    void closeRendezvous() {
        isClosed = true;
        process().input("closes", NODE, null, (nowNs, out) -> core().onClose("the job is over", toAll(out)));
    }
}
