package org.ulfmj.runtime.process;

import org.ulfmj.runtime.options.LauncherProcess;

/** What a launcher tells the processes of its job of itself. */
public final class ThisLauncher {
    private ThisLauncher() {}

    /** The calling process. */
    public static LauncherProcess read() {
        HostFacts here = HostFacts.read();
        return new LauncherProcess(here.pid(), here.startTicks(), here.pidNamespace());
    }
}
