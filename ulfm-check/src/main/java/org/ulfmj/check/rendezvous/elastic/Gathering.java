package org.ulfmj.check.rendezvous.elastic;

import org.ulfmj.rendezvous.RendezvousCore;

/** How far the processes of a job have been gathered, independent of which process is the coordinator. */
public interface Gathering {
    /** Whether a process coordinates the job, or one is left that can. */
    boolean isThere();

    /** The phase of the rendezvous at its coordinator; null while no process has that office. */
    RendezvousCore.Phase phase();

    /** Whether the launcher has closed the rendezvous, or a process has finalized. */
    boolean isClosed();
}
