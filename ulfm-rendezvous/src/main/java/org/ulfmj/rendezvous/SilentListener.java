package org.ulfmj.rendezvous;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.OutReason;

/**
 * Does nothing at any event: for a core that only reads or compares states, and as a base for listeners that need few
 * events.
 */
public class SilentListener implements ServerListener {
    @Override
    public void onJoined(ProcessId process) {}

    @Override
    public void onFinal() {}

    @Override
    public void onClosed(OutReason reason, String text) {}

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {}

    @Override
    public void onReached(ProcessId process, int rule) {}

    @Override
    public void onFenced(ProcessId process, String reason) {}

    @Override
    public void onAbort(ProcessId by, int code, String reason) {}

    @Override
    public void onBroken(Throwable cause) {}
}
