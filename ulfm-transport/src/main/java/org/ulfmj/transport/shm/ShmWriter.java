package org.ulfmj.transport.shm;

import org.ulfmj.transport.Writer;
import org.ulfmj.transport.host.HostProcess;

/** A process of this host, known by pid and start time. */
record ShmWriter(HostProcess owner) implements Writer {
    /** Null where the process could not be told from others, or be ended from here. */
    static ShmWriter of(HostProcess owner) {
        return owner.isVisible() ? new ShmWriter(owner) : null;
    }

    @Override
    public boolean hasEnded() {
        return owner.hasEndedWholly();
    }

    @Override
    public void end() {
        // The handle knows when its process started, and signals no other: so it is made before the process is looked
        // at.
        ProcessHandle.of(owner.pid())
                .filter(handle -> !owner.hasEndedWholly())
                .ifPresent(ProcessHandle::destroyForcibly);
    }
}
