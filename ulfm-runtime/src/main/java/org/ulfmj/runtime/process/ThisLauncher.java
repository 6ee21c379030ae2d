package org.ulfmj.runtime.process;

import org.ulfmj.runtime.options.LauncherProcess;
import org.ulfmj.transport.host.HostProcess;

/** Reads what a launcher tells the processes of its job about itself. */
public final class ThisLauncher {
    private ThisLauncher() {}

    /** Returns the calling process, as the launcher of a job. */
    public static LauncherProcess read() {
        HostProcess here = HostProcess.self();
        return new LauncherProcess(here.pid(), here.startTicks(), here.pidNamespace());
    }
}
