package org.ulfmj.agree;

import java.util.Collection;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/**
 * What a {@link SurvivorCore} asks of its driver. All but {@link #peersWithSession}, {@link #contact},
 * {@link #introduce} and {@link #ids} are called last in a step, after the step's messages, in the order in which
 * things happened; a callback may call the core again.
 *
 * <p>Those that have to do with replacements have a body that throws: who never calls replace(), and is no newcomer, is
 * never asked.
 */
public interface Effects {
    /**
     * J1: nothing was heard of the process for the detector's timeout. That is a question and no mark: the driver has
     * it judged, and comes back with evidence, if any. Called again for the same process only after {@link #heard}.
     */
    void silent(ProcessId process);

    /**
     * J1: the silence has ended: the process was heard, or this rank listens to another one now. Not called for the
     * gone.
     */
    void heard(ProcessId process);

    /**
     * The process is dead on certain evidence: hand over what had arrived from it, then call {@code onDrained}. It may
     * be a newcomer that was never introduced: then nothing has arrived.
     */
    void drain(ProcessId process);

    /**
     * The process is marked failed: dispatch nothing of it any more, fail what waits for it. It may be one that this
     * driver has never met: a newcomer that no process let in, or, for a newcomer, whom it replaces.
     */
    void failed(ProcessId process, Evidence evidence);

    /** The process has said goodbye. */
    void departed(ProcessId process);

    /** The communicator is revoked. Called once, and not before it was registered. */
    void revoked(long communicator);

    /**
     * All members have freed this communicator, or could not build it: {@link SurvivorCore#hasForgotten} says so for as
     * long as something of it may still be on its way.
     */
    default void forgotten(long communicator) {}

    /**
     * An agreement that this rank entered is decided; with one rank left, while it enters. A decision of nothing but
     * Finalize means that this rank leaves: what was sent so far, the goodbyes included, is to be handed over, and then
     * the launcher is told.
     */
    void decided(long communicator, long sequence, Decision decision);

    /** This process is marked failed by others, or must have marked itself failed: it ends. The last call. */
    void fenced(String reason);

    /**
     * Asked in the middle of the step that finalizes: all processes with which a lane or link is open. They are told
     * goodbye besides the neighbours in the overlay, or they would take this rank's end for a failure.
     */
    Collection<ProcessId> peersWithSession();

    /**
     * Asked in the middle of a step of replace(), in the membership epoch that the core was made with: where a member
     * of it is, this process among them. The same answer at all members. In later epochs the core knows.
     */
    default Contact contact(ProcessId process) {
        throw new IllegalStateException("nobody said where process " + process + " is");
    }

    /**
     * Called in the middle of a step, before anything is sent to a process that is not of the first membership epoch:
     * there may be talk with it from now on, in both directions. It is called again for one that is known, which means
     * nothing. The process that had its slot before has been marked failed. Until then the core sends it nothing, and
     * what it sends may wait.
     */
    default void introduce(Contact contact) {
        throw new IllegalStateException("nobody expects " + contact);
    }

    /** Asked in the middle of a step of replace(): names the world that it makes. */
    default CommunicatorIds ids() {
        throw new IllegalStateException("nobody names new worlds");
    }

    /**
     * A call of replace() has ended here. If there is another world this process is in its membership epoch already;
     * the driver makes the communicator of all members, and tells the launcher.
     */
    default void replaced(long communicator, ReplaceOutcome outcome) {
        throw new IllegalStateException("nobody waits for " + outcome);
    }

    /** This newcomer is a member: the driver makes the communicator of all members, and tells the launcher. */
    default void welcomed(Admission admission) {
        throw new IllegalStateException("nobody waits for " + admission);
    }

    /**
     * The world that this newcomer waited for has gone on without it, or ended: it ends, and no process misses it. The
     * last call.
     */
    default void goneOnWithout(String why) {
        throw new IllegalStateException("nobody waits for a world: " + why);
    }
}
