package org.ulfmj.rendezvous.client;

import org.ulfmj.protocol.ProcessId;

/** Ignores all news: a base for listeners that need few of them, as while a process joins or ends. */
public class IgnoredNews implements ClientListener {
    @Override
    public void onDeath(ProcessId process, String reason) {}

    @Override
    public void onDeparted(ProcessId process) {}

    @Override
    public void onFence(String reason) {}

    @Override
    public void onAbort(int code, String reason) {}

    @Override
    public void onLauncherLost(String reason) {}
}
