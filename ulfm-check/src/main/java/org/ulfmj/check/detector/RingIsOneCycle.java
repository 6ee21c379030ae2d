package org.ulfmj.check.detector;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;

/**
 * Invariant at rest: each process that runs and watches the others listens to the nearest such process before it on the
 * ring, has the nearest such one behind it as its observer, and has no other observer.
 */
final class RingIsOneCycle<T extends Member> implements Invariant {
    private final List<T> members;
    private final Function<T, RingDetector> ringOf;

    RingIsOneCycle(List<T> members, Function<T, RingDetector> ringOf) {
        this.members = members;
        this.ringOf = ringOf;
    }

    @Override
    public String open() {
        List<T> running = members.stream().filter(Member::isWatching).toList();
        for (int i = 0; i < running.size(); i++) {
            T member = running.get(i);
            RingDetector ring = ringOf.apply(member);
            ProcessId before =
                    running.get((i + running.size() - 1) % running.size()).id();
            ProcessId emitter = before.equals(member.id()) ? null : before;
            if (emitter == null ? ring.emitter() != null : !emitter.equals(ring.emitter())) {
                return member.process() + " listens to " + ring.emitter() + " instead of " + emitter;
            }
            SortedSet<ProcessId> observers = new TreeSet<>();
            if (running.size() > 1) {
                observers.add(running.get((i + 1) % running.size()).id());
            }
            if (!observers.equals(ring.observers())) {
                return member.process() + " beats for " + ring.observers() + " instead of " + observers;
            }
        }
        return null;
    }
}
