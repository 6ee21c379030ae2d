package org.ulfmj.transport.shm;

import org.ulfmj.transport.Writer;
import org.ulfmj.transport.host.HostProcess;

/** A process of this host that may write into memory that this rank lends. It is identified by pid and start time. */
record ShmWriter(HostProcess owner) implements Writer {
    /**
     * The writer for the process {@code owner}. Null if the process is not {@linkplain HostProcess#isVisible visible}
     * here.
     */
    static ShmWriter of(HostProcess owner) {
        return owner.isVisible() ? new ShmWriter(owner) : null;
    }

    @Override
    public boolean hasEnded() {
        return owner.hasEndedWholly();
    }

    @Override
    public void end() {
        // A handle holds the start time of its process, and never signals another process with the same pid. So the
        // handle is made before this rank looks whether the process has ended.
        ProcessHandle.of(owner.pid())
                .filter(handle -> !owner.hasEndedWholly())
                .ifPresent(ProcessHandle::destroyForcibly);
    }
}
