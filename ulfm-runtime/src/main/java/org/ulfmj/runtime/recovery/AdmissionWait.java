package org.ulfmj.runtime.recovery;

import org.ulfmj.agree.message.Admission;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * A newcomer's wait until the members have taken it into the world, or have gone on without it. Under the engine lock.
 */
public final class AdmissionWait implements NamedWait {
    private final String call;
    private Admission admission;
    private String refusal;

    /** @param call the name of the call, replace or grow, by which the members let this newcomer in */
    AdmissionWait(String call) {
        this.call = call;
    }

    void admit(Admission world) {
        admission = world;
    }

    void refuse(String why) {
        refusal = why;
    }

    @Override
    public boolean isDone() {
        return admission != null || refusal != null;
    }

    /** The world that admitted this process; null unless it was admitted. */
    public Admission admission() {
        return admission;
    }

    /** Returns why this process was refused; null unless it was refused. */
    public String refusal() {
        return refusal;
    }

    @Override
    public void explain(WaitNotes notes) {
        notes.other("the others to call " + call + "()");
    }

    @Override
    public String toString() {
        return "admission to the world";
    }
}
