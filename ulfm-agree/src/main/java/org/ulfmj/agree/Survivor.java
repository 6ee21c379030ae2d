package org.ulfmj.agree;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.ProcessId;

/**
 * What the parts of a {@link SurvivorCore} share: the rank's process and its driver, the time of the running step, the
 * processes that the rank has marked failed, how far it is with Finalize, and whether it has ended. Not thread-safe.
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

    /** The driver, for questions in the middle of a step. News for the driver goes through {@link #effects}. */
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

    /** A step begins at this time. */
    void at(long nowNs) {
        this.nowNs = nowNs;
    }

    /** Time of the running step. */
    long nowNs() {
        return nowNs;
    }

    /** Whether this process has ended itself, for example because others have marked it failed or go on without it. */
    boolean isFenced() {
        return fenced;
    }

    /**
     * Fences this process, unless it leaves. F4: a rank that leaves has its decision, and no process can take that
     * back.
     */
    void fenceUnlessLeaving(String why) {
        if (!fenced && !departure.isLeaving()) {
            fenced = true;
            effects.fenced(why);
        }
    }

    /** Ends this newcomer: the world that it waits for goes on without it, or has ended. No process misses it. */
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
