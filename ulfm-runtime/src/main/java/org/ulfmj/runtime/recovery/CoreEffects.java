package org.ulfmj.runtime.recovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.KillPoints;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.transfer.Traffic;
import org.ulfmj.transport.Fabric;

/**
 * Carries out what a rank's survivor core asks for: tells the rank, its hooks and the fabric, and completes the calls
 * that wait for a decision, for another world or to be let in. Under the engine lock.
 */
final class CoreEffects implements Effects {
    private final ControlPlane control;
    private final ControlPlane.Rank engine;
    private final VerdictListener verdicts;
    private final ProtocolHooks hooks;
    private final ProcessId me;
    private final CommunicatorIds ids;
    private final Fabric fabric;
    private final Traffic traffic;
    private final Contacts contacts;
    private final AdmissionWait admission;

    private final Decisions decisions = new Decisions();
    /** The call of replace or grow that waits for its outcome, or null. */
    private ChangeCall changing;

    CoreEffects(
            ControlPlane control,
            ControlPlane.Rank engine,
            RankIdentity identity,
            CommunicatorIds ids,
            Fabric fabric,
            Traffic traffic) {
        this.control = control;
        this.engine = engine;
        this.verdicts = engine.verdicts();
        this.hooks = engine.hooks();
        this.me = identity.id();
        this.ids = ids;
        this.fabric = fabric;
        this.traffic = traffic;
        this.contacts = new Contacts(identity.table());
        this.admission = identity.isNewcomer() ? new AdmissionWait(callThatLetsIn(me)) : null;
    }

    private static String callThatLetsIn(ProcessId process) {
        return (process.incarnation() > 0 ? Kind.REPLACE : Kind.GROW).callName();
    }

    /** Returns this newcomer's wait to be admitted; null at a process that was a member from its start. */
    AdmissionWait admission() {
        return admission;
    }

    /** Returns the store of the agreements' decisions that calls of this rank wait for. */
    Decisions decisions() {
        return decisions;
    }

    /** Returns the call of replace or grow that waits for its outcome, or null. */
    ChangeCall changing() {
        return changing;
    }

    /** Notes the call that waits for the outcome of replace or grow from now on. */
    void begin(ChangeCall call) {
        changing = call;
    }

    /**
     * Tells the hooks of a process's silence, unless this rank leaves: a leaving rank has the decision of Finalize
     * (F5).
     */
    @Override
    public void silent(ProcessId process) {
        if (!control.isLeaving()) {
            hooks.onSilent(process);
        }
    }

    @Override
    public void heard(ProcessId process) {
        hooks.onHeard(process);
    }

    @Override
    public void drain(ProcessId process) {
        if (!traffic.knows(process) || process.slot() == me.slot()) {
            // The process was never introduced to this rank, or it had this rank's own slot before. So no medium has
            // anything from it, and it counts as drained.
            engine.post(new EngineEvents.Drained(process));
        } else {
            fabric.drain(process);
        }
    }

    @Override
    public void failed(ProcessId process, Evidence evidence) {
        verdicts.onFailed(process, evidence);
    }

    @Override
    public void departed(ProcessId process) {
        verdicts.onDeparted(process);
    }

    @Override
    public void revoked(long communicator) {
        verdicts.onRevoked(communicator);
        engine.pass(KillPoints.REVOKED);
    }

    @Override
    public void forgotten(long communicator) {
        engine.communicators().forget(communicator);
    }

    @Override
    public void decided(long communicator, long sequence, Decision decision) {
        engine.pass(KillPoints.AGREED);
        if (engine.communicators().get(communicator) != null) {
            decisions.onDecided(communicator, sequence, decision);
        }
    }

    @Override
    public void fenced(String reason) {
        engine.fence(reason);
    }

    @Override
    public Contact contact(ProcessId process) {
        return contacts.of(process);
    }

    @Override
    public Placement placement(Admission world) {
        return Contacts.placement(Contacts.records(world));
    }

    @Override
    public CommunicatorIds ids() {
        return ids;
    }

    @Override
    public void introduce(Contact contact) {
        if (changing != null) {
            engine.pass(KillPoints.REPLACE_OFFERED);
        }
        contacts.add(contact);
        traffic.introduce(contact.process());
        if (!contact.process().equals(me)) {
            fabric.admit(Contacts.record(contact));
        }
    }

    @Override
    public void changeEnded(long communicator, ChangeOutcome outcome) {
        if (outcome instanceof ChangeOutcome.Admitted admitted) {
            engine.pass(KillPoints.REPLACE_ADMITTED);
            onAdmitted(admitted.admission());
        }
        ChangeCall call = changing;
        changing = null;
        call.end(outcome);
    }

    @Override
    public void welcomed(Admission world) {
        onAdmitted(world);
        admission.admit(world);
    }

    private void onAdmitted(Admission world) {
        verdicts.onWorld(control.membership());
        contacts.enter(world);
        hooks.onAdmitted(world, Contacts.records(world));
    }

    @Override
    public void goneOnWithout(String why) {
        if (admission != null && !admission.isDone()) {
            admission.refuse(why);
            hooks.onGoneOnWithout(why);
        }
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        List<ProcessId> peers = new ArrayList<>();
        for (ProcessId peer : fabric.connected()) {
            peers.add(peer);
        }
        return peers;
    }
}
