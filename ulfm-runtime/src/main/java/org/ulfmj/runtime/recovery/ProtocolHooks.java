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
     * J1: nothing was heard of the process for the detector's timeout. The protocols conclude nothing from that. It is
     * for the judge of silences to decide, and evidence comes back if the process is dead.
     */
    void onSilent(ProcessId process);

    /**
     * J1: the silence that {@link #onSilent} told of has ended, or does not concern this rank any more. Not called for
     * processes that are gone.
     */
    default void onHeard(ProcessId process) {}

    /** Whether the launcher tells all ranks of each certain death, so that they need not wake each other for it. */
    default boolean isToldOfDeaths() {
        return false;
    }

    /**
     * Processes have been replaced, and this process is a member of the new world. The launcher is told. From now on
     * the new members are treated as members.
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

    /** The world goes on without this process, which was to take the place of a dead one. This process ends. */
    default void onGoneOnWithout(String why) {}

    /**
     * The lifeline to the process ended. The implementation finds out whether the process is gone, and if so gives that
     * as evidence.
     */
    void onLifelineLost(ProcessId process);

    /** The connection to the process broke for good, which is no evidence of its death. */
    void onLinkBroken(ProcessId process);

    /** A connection to the process exists again: the report of {@link #onLinkBroken} is withdrawn. */
    default void onLinkRestored(ProcessId process) {}
}
