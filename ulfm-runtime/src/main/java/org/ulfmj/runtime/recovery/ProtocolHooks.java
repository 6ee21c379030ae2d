package org.ulfmj.runtime.recovery;

import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/**
 * What the protocols of a rank tell the process, or the test, that they run in. Called on the thread that noticed,
 * under the engine lock.
 */
public interface ProtocolHooks {
    /**
     * J1: nothing was heard of the process for the detector's timeout. Nothing follows from it here: any rank that can
     * judge it does, and comes back with evidence.
     */
    void onSilent(ProcessId process);

    /**
     * J1: the silence that {@link #onSilent} told of has ended, or does not concern this rank any more. Not called for
     * the gone.
     */
    default void onHeard(ProcessId process) {}

    /** Whether a rank tells all ranks of each certain death, so that they need not wake each other for it. */
    default boolean isToldOfDeaths() {
        return false;
    }

    /**
     * Processes have been replaced, and this process is a member of the world that it made: the launcher is told, and
     * what concerns members also concerns the new ones from now on.
     *
     * @param members of the new world, in slot order
     */
    default void onAdmitted(Admission admission, List<MemberRecord> members) {}

    /**
     * Whether this newcomer may take a member's word that it is admitted. While the launcher counts on its waiting it
     * may not, and the word waits too; asked again at each poll with the seat.
     */
    default boolean mayBeAdmitted() {
        return true;
    }

    /** The world goes on without this process, which was to take a dead one's place: it ends. */
    default void onGoneOnWithout(String why) {}

    /** The lifeline to the process ended: find out whether it is gone, and if so give that as evidence. */
    void onLifelineLost(ProcessId process);

    /** The connection to the process broke for good, which is no evidence of its death. */
    void onLinkBroken(ProcessId process);

    /** A connection to the process exists again: what {@link #onLinkBroken} said is withdrawn. */
    default void onLinkRestored(ProcessId process) {}
}
