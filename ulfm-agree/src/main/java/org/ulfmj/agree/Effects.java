package org.ulfmj.agree;

import java.util.Collection;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.ProcessId;

/**
 * What a {@link SurvivorCore} asks of its driver. All methods but {@link #peersWithSession}, {@link #contact},
 * {@link #introduce}, {@link #ids} and {@link #placement} are called last in a step, after the step's messages, in the
 * order in which things happened. A callback may call the core again.
 *
 * <p>Most methods for replacements throw by default: only a rank whose world may change or grow, or a newcomer, needs
 * them.
 */
public interface Effects {
    /**
     * J1: nothing was heard of the process for the detector's timeout. This is a question and no mark: the driver has
     * the silence judged, and reports evidence if there is any. Called again for the same process only after
     * {@link #heard}.
     */
    void silent(ProcessId process);

    /**
     * J1: the silence has ended: the process was heard, or this rank listens to another one now. Not called for a
     * process that is gone.
     */
    void heard(ProcessId process);

    /**
     * The process is dead on certain evidence. The driver hands over the messages that had arrived from it, and then
     * calls {@code onDrained}. The process may be a newcomer that was never introduced: then nothing has arrived.
     */
    void drain(ProcessId process);

    /**
     * The process is marked failed. The driver dispatches no message of it any more, and ends the operations that wait
     * for it. It may be a process that this driver has never met: a newcomer that no member let in, or, at a newcomer,
     * the process that this newcomer replaces.
     */
    void failed(ProcessId process, Evidence evidence);

    /** The process has finalized: its goodbye has come, or the launcher says that it has ended after its goodbye. */
    void departed(ProcessId process);

    /** The communicator is revoked. Called once, and not before it was registered. */
    void revoked(long communicator);

    /**
     * No live member needs this communicator any more: all have freed it or could not build it, or its world was
     * replaced. If it had several members, {@link SurvivorCore#hasForgotten} is true for a while from then on, since
     * messages for it may still be under way.
     */
    default void forgotten(long communicator) {}

    /**
     * An agreement call of this rank is decided; calls of replace() and grow() end by {@link #changeEnded} instead. If
     * no other rank is left, it is decided while this rank enters it. A decision only of Finalize means that this rank
     * leaves: the driver hands over all messages that were sent so far, the goodbyes included, and then tells the
     * launcher.
     */
    void decided(long communicator, long sequence, Decision decision);

    /**
     * This process is marked failed by others, or must not go on: it ends. The driver is told nothing more at the end
     * of a step.
     */
    void fenced(String reason);

    /**
     * Asked in the middle of the step that finalizes: all processes with which a lane or link is open. They are told
     * goodbye besides the neighbours in the overlay, or they would take this rank's end for a failure.
     */
    Collection<ProcessId> peersWithSession();

    /**
     * Where a member of the first membership epoch of this core can be reached. Asked in the middle of a step of
     * replace() or grow(), or when a process is looked up by its nonce; also for this process. The answer must be the
     * same at all members. For later epochs the core knows the answer.
     */
    default Contact contact(ProcessId process) {
        throw new IllegalStateException("no word of where process " + process + " is");
    }

    /**
     * Called in the middle of a step, before a welcome or a message of an agreement is sent to a process that is not of
     * the first membership epoch of this core: from now on messages may be exchanged with it. A repeated call for a
     * known process means nothing. If this process is a member already, the process that had the slot before has been
     * marked failed. Messages that the introduced process sends may wait for this call.
     */
    default void introduce(Contact contact) {
        throw new IllegalStateException("no part expects " + contact);
    }

    /** The names for the worlds that replace() and grow() make. Asked in the middle of a step of these calls. */
    default CommunicatorIds ids() {
        throw new IllegalStateException("no part names new worlds");
    }

    /**
     * On which hosts the members of a world run. Asked in the middle of the steps that name the world, which has no id
     * then, and that enter it. The answer must be the same at all members: it follows from their addresses.
     */
    default Placement placement(Admission admission) {
        return Placement.ONE_HOST;
    }

    /**
     * A call of replace() or grow() has ended here. If it made another world, this process is already in the membership
     * epoch of that world; the driver makes the communicator of all members, and tells the launcher.
     */
    default void changeEnded(long communicator, ChangeOutcome outcome) {
        throw new IllegalStateException("no call waits for " + outcome);
    }

    /** This newcomer is a member: the driver makes the communicator of all members, and tells the launcher. */
    default void welcomed(Admission admission) {
        throw new IllegalStateException("no call waits for " + admission);
    }

    /**
     * The world that this newcomer waited for has gone on without it, or has ended. So the newcomer ends; no other
     * process waits for it. The driver is told nothing more at the end of a step.
     */
    default void goneOnWithout(String why) {
        throw new IllegalStateException("no call waits for a world: " + why);
    }
}
