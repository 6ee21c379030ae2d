package org.ulfmj.check.rendezvous.elastic;

import org.ulfmj.rendezvous.RendezvousCore;

/** The gathering of the processes of a job, whichever process sees to it. */
public interface Gathering {
    /** Whether a process sees to it, or will. */
    boolean isThere();

    /** Null while no process sees to it. */
    RendezvousCore.Phase phase();

    /** Whether it was closed by the launcher, or as the program has finished. */
    boolean isClosed();
}
