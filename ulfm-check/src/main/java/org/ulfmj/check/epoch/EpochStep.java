package org.ulfmj.check.epoch;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.protocol.ProcessId;

/** What one step of a member began with, and what it said. */
final class EpochStep {
    /** What a step is about, if it is none of taking a message. */
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

    /** @param from null if no message is taken */
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

    /** The message, or null. */
    DetectorMessage taken() {
        return taken;
    }

    ProcessId emitterBefore() {
        return emitterBefore;
    }

    /** For a step that enters an epoch; else null. */
    SortedSet<ProcessId> observersBefore() {
        return observersBefore;
    }

    /** What it said, in order. */
    List<Said> said() {
        return said;
    }

    /** Place of the first message of a type to a process among all that was said; −1 if there is none. */
    int indexOf(ProcessId to, Class<? extends DetectorMessage> type) {
        for (int i = 0; i < said.size(); i++) {
            if (said.get(i).to().equals(to) && type.isInstance(said.get(i).message())) {
                return i;
            }
        }
        return -1;
    }
}
