package org.ulfmj.runtime.recovery;

import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/**
 * The hooks by which the protocols of a rank tell the process, or the test, in which they run of their events. Methods
 * are called under the engine lock, on the thread that noticed the event.
 */
public interface ProtocolHooks {
    /**
     * Tells of a silence (J1): nothing was heard of the process for the detector's timeout. The protocols conclude
     * nothing from that. A judge of silences decides, and gives evidence of the process's failure if it finds that the
     * process has failed.
     */
    void onSilent(ProcessId process);

    /**
     * Tells that a silence which {@link #onSilent} reported has ended (J1), or does not concern this rank any more. Not
     * called for processes that are gone.
     */
    default void onHeard(ProcessId process) {}

    /**
     * Whether the launcher tells all ranks of each certain death, so that an obituary of such a death need not wake its
     * receiver.
     */
    default boolean isToldOfDeaths() {
        return false;
    }

    /**
     * Tells that members have replaced processes or let processes in, and that this process is a member of the new
     * world. From now on the new members are treated as members.
     *
     * @param members of the new world, in slot order
     */
    default void onAdmitted(Admission admission, List<MemberRecord> members) {}

    /**
     * Whether this newcomer may accept a member's welcome now. It may not while the launcher counts on it as a waiting
     * process; a welcome that comes then is kept. Asked again at each poll that reads the selector.
     */
    default boolean mayBeAdmitted() {
        return true;
    }

    /**
     * Returns the most members that {@code grow} may bring the world to, as far as this rank's settings go; the least
     * number that any member names counts. It is 1 in a static world, where {@code grow} lets no process in.
     */
    default int mostMembers() {
        return 1;
    }

    /** Ends this newcomer, which waited to become a member of the world and is not needed any more. */
    default void onGoneOnWithout(String why) {}

    /**
     * Tells that the lifeline to the process has ended, or could not be opened in time. The implementation finds out
     * whether the process is gone, and if so gives that as evidence to the engine.
     */
    void onLifelineLost(ProcessId process);

    /**
     * Tells that the link to the process is broken: nothing has reached the process for the link budget, for instance.
     * That alone is no evidence that the process is dead.
     */
    void onLinkBroken(ProcessId process);

    /** Tells that the process is reached again: the report of {@link #onLinkBroken} is withdrawn. */
    default void onLinkRestored(ProcessId process) {}
}
