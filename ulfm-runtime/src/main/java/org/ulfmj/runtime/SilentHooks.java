package org.ulfmj.runtime;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/** Hooks that do nothing: for a rank that is alone, for rehearsals, and for tests that look at one thing. */
public abstract class SilentHooks implements RankHooks {
    @Override
    public void onFenced(String reason) {}

    @Override
    public void onAbort(int code, String reason) {}

    @Override
    public void onBroken(Throwable cause) {}

    @Override
    public void onFaultPoint(int rule) {}

    @Override
    public void onSilent(ProcessId process) {}

    @Override
    public void onFailed(ProcessId process, Evidence evidence) {}

    @Override
    public void onGoodbye(SlotSet failed) {}

    @Override
    public void onLifelineLost(ProcessId process) {}

    @Override
    public void onLinkBroken(ProcessId process) {}

    @Override
    public void onSeatPoll(long nowNs) {}
}
