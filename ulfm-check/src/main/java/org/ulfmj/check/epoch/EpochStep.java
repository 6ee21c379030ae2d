package org.ulfmj.check.epoch;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.protocol.ProcessId;

/**
 * One step of a member: its cause, the emitter before it, the observers before it if it enters an epoch, and the
 * messages sent in it.
 */
final class EpochStep {
    /** The cause of a step. */
    enum About {
        START,
        ENTER,
        MESSAGE,
        OTHER
    }

    /** A message that went out. */
    record Said(ProcessId to, DetectorMessage message) {}

    private final About about;
    private final ProcessId from;
    private final DetectorMessage taken;
    private final ProcessId emitterBefore;
    private final SortedSet<ProcessId> observersBefore;
    private final List<Said> said = new ArrayList<>();

    /** @param from null if the step takes no message */
    EpochStep(About about, ProcessId from, DetectorMessage taken, RingDetector ring) {
        this.about = about;
        this.from = from;
        this.taken = taken;
        this.emitterBefore = ring.emitter();
        this.observersBefore = about == About.ENTER ? new TreeSet<>(ring.observers()) : null;
    }

    About about() {
        return about;
    }

    ProcessId from() {
        return from;
    }

    /** Returns the message that the step takes, or null. */
    DetectorMessage taken() {
        return taken;
    }

    ProcessId emitterBefore() {
        return emitterBefore;
    }

    /** Returns the observers that the member had before a step that enters an epoch; null for any other step. */
    SortedSet<ProcessId> observersBefore() {
        return observersBefore;
    }

    /** Returns the messages that the member sent, in order. */
    List<Said> said() {
        return said;
    }

    /** Index, among all messages of the step, of the first message of a type to a process; −1 if there is none. */
    int indexOf(ProcessId to, Class<? extends DetectorMessage> type) {
        for (int i = 0; i < said.size(); i++) {
            if (said.get(i).to().equals(to) && type.isInstance(said.get(i).message())) {
                return i;
            }
        }
        return -1;
    }
}
