package org.ulfmj.check.rendezvous.elastic;

import org.ulfmj.protocol.Outbox;
import org.ulfmj.rendezvous.lease.HeldLease;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;

/** A process that joins at the launcher of its job, which is there all the time. */
final class LauncherApplicant extends Applicant<Note> {
    private int lastLostConnection;

    /** @param lease null for a process without one */
    LauncherApplicant(int hostOrder, int localIndex, SimProcess<Integer, Note> process, HeldLease lease) {
        super(hostOrder, localIndex, process, lease);
    }

    @Override
    protected int coordinator() {
        return ElasticLauncher.NODE;
    }

    @Override
    protected Note packet(int ofConnection, RendezvousMessage message) {
        return new Note(ofConnection, message, null);
    }

    @Override
    protected Note welcome(Admission admission) {
        return new Note(0, null, admission);
    }

    void init() {
        process().start(this, (nowNs, out) -> connect(nowNs, out));
    }

    /** @param isLossy whether messages on their way to the launcher are lost with the old connection */
    void reconnect(boolean isLossy) {
        if (isLossy) {
            lastLostConnection = connection();
        }
        process().input("dials again", ElasticLauncher.NODE, connection() + 1, (nowNs, out) -> connect(nowNs, out));
    }

    /** Whether a message that comes from this connection now was lost when the connection broke. */
    boolean hasLost(int older) {
        return older <= lastLostConnection;
    }

    @Override
    public void onMessage(Integer from, Note note, long nowNs, Outbox<Integer, Note> out) {
        hear(note.connection() == connection() ? note.message() : null, note.welcome(), nowNs, out);
    }
}
