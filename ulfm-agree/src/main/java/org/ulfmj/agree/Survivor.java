package org.ulfmj.agree;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.ProcessId;

/**
 * What the parts of a {@link SurvivorCore} share of the rank that they are parts of: who it is and who drives it, the
 * time of the running step, whom it has marked failed, how far it is with Finalize, and whether it has ended. Not
 * thread-safe.
 */
final class Survivor {
    private final ProcessId me;
    private final Effects driver;
    private final PendingEffects effects;
    private final FailureSet failures = new FailureSet();
    private final Departure departure = new Departure();

    private boolean fenced;
    private long nowNs;

    Survivor(ProcessId me, Effects driver, long nowNs) {
        this.me = me;
        this.driver = driver;
        this.effects = new PendingEffects(driver);
        this.nowNs = nowNs;
    }

    ProcessId me() {
        return me;
    }

    /** For what is asked in the middle of a step; what is told goes through {@link #effects}. */
    Effects driver() {
        return driver;
    }

    /** What the driver is told at the end of the step. */
    PendingEffects effects() {
        return effects;
    }

    FailureSet failures() {
        return failures;
    }

    Departure departure() {
        return departure;
    }

    /** A step begins. */
    void at(long nowNs) {
        this.nowNs = nowNs;
    }

    /** Time of the running step. */
    long nowNs() {
        return nowNs;
    }

    /** Whether this process has ended itself for others. */
    boolean isFenced() {
        return fenced;
    }

    /** F4: a rank that leaves has its decision, and no process can take it back. */
    void fenceUnlessLeaving(String why) {
        if (!fenced && !departure.isLeaving()) {
            fenced = true;
            effects.fenced(why);
        }
    }

    /** This process waits for a world that goes on without it, or has ended: no process misses it. */
    void goneOnWithout(String why) {
        if (!fenced) {
            fenced = true;
            effects.goneOnWithout(why);
        }
    }

    boolean isObituaryOfMe(ControlMessage message) {
        return message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary obituary
                && obituary.failed().equals(me);
    }
}
