package org.ulfmj.check.rendezvous.elastic;

import org.ulfmj.protocol.Outbox;
import org.ulfmj.rendezvous.lease.HeldLease;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;

/** A simulated process that joins at the launcher of its job. The launcher runs all the time. */
final class LauncherApplicant extends Applicant<Note> {
    private int lastLostConnection;

    /** @param lease null for a process without a lease */
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

    /**
     * Dials the launcher again.
     *
     * @param isLossy whether messages on their way to the launcher are lost with the old connection
     */
    void reconnect(boolean isLossy) {
        if (isLossy) {
            lastLostConnection = connection();
        }
        process().input("dials again", ElasticLauncher.NODE, connection() + 1, (nowNs, out) -> connect(nowNs, out));
    }

    /**
     * Whether messages on the connection with this number that have not arrived yet are lost, as the connection broke.
     */
    boolean hasLost(int older) {
        return older <= lastLostConnection;
    }

    @Override
    public void onMessage(Integer from, Note note, long nowNs, Outbox<Integer, Note> out) {
        hear(note.connection() == connection() ? note.message() : null, note.welcome(), nowNs, out);
    }
}
