package org.ulfmj.runtime.recovery;

import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/**
 * What the protocols of a rank tell the process, or the test, that they run in. Called under the engine lock, on the
 * thread that noticed the event.
 */
public interface ProtocolHooks {
    /**
     * Tells of a silence (J1): nothing was heard of the process for the detector's timeout. The protocols conclude
     * nothing from that. It is for the judge of silences to decide, and evidence comes back if the process is dead.
     */
    void onSilent(ProcessId process);

    /**
     * Tells that the silence of {@link #onSilent} has ended (J1), or does not concern this rank any more. Not called
     * for processes that are gone.
     */
    default void onHeard(ProcessId process) {}

    /** Whether the launcher tells all ranks of each certain death, so that they need not wake each other for it. */
    default boolean isToldOfDeaths() {
        return false;
    }

    /**
     * Tells that processes have been replaced, and that this process is a member of the new world. The implementation
     * tells the launcher. From now on the new members are treated as members.
     *
     * @param members of the new world, in slot order
     */
    default void onAdmitted(Admission admission, List<MemberRecord> members) {}

    /**
     * Whether this newcomer may take a member's word that it is admitted. It may not while the launcher counts on its
     * waiting, and then the member's word waits too. Asked again at each poll with the seat.
     */
    default boolean mayBeAdmitted() {
        return true;
    }

    /**
     * The most members that {@code grow} may bring the world to; the least that any member names counts. With 1, which
     * a static world has, no process is let in.
     */
    default int mostMembers() {
        return 1;
    }

    /** Ends this process, which was to take the place of a dead one: the world goes on without it. */
    default void onGoneOnWithout(String why) {}

    /**
     * Tells that the lifeline to the process ended. The implementation finds out whether the process is gone, and if so
     * gives that as evidence.
     */
    void onLifelineLost(ProcessId process);

    /** Tells that the connection to the process broke for good, which is no evidence of its death. */
    void onLinkBroken(ProcessId process);

    /** Tells that a connection to the process exists again: the report of {@link #onLinkBroken} is withdrawn. */
    default void onLinkRestored(ProcessId process) {}
}
