package org.ulfmj.check.rendezvous.elastic;

import org.ulfmj.rendezvous.RendezvousCore;

/** How far the processes of a job have been gathered, independent of which process is the coordinator. */
public interface Gathering {
    /** Whether a coordinator exists, or one will be elected. */
    boolean isThere();

    /** The phase of the rendezvous at its coordinator; null while no process has that office. */
    RendezvousCore.Phase phase();

    /** Whether the rendezvous was closed, by the launcher or because the program has finished. */
    boolean isClosed();
}
