package org.ulfmj.rendezvous;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.OutReason;

/** Does nothing about what it hears: for a core that is only looked at, and for listeners that heed few events. */
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
