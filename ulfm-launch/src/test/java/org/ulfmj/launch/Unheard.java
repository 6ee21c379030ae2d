package org.ulfmj.launch;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.ClientListener;

/** Listens to the launcher and does nothing. */
final class Unheard implements ClientListener {
    @Override
    public void onDeath(ProcessId process, String reason) {
        // Not of interest.
    }

    @Override
    public void onDeparted(ProcessId process) {
        // Not of interest.
    }

    @Override
    public void onFence(String reason) {
        // Not of interest.
    }

    @Override
    public void onAbort(int code, String reason) {
        // Not of interest.
    }

    @Override
    public void onLauncherLost(String reason) {
        // Not of interest.
    }
}
