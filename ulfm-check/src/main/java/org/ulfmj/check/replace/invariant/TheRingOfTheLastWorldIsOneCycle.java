package org.ulfmj.check.replace.invariant;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;

/**
 * At rest all members that still watch each other are in the same membership epoch. Each expects heartbeats from the
 * nearest of these before it on the ring, and sends heartbeats to the one behind it only.
 */
record TheRingOfTheLastWorldIsOneCycle(ReplaceWorld world) implements Invariant {
    @Override
    public String open() {
        List<ReplaceRank> ring = new ArrayList<>(world.watching());
        ring.sort(Comparator.comparing(ReplaceRank::id));
        for (int i = 0; i < ring.size(); i++) {
            ReplaceRank member = ring.get(i);
            if (member.membership().epoch() != ring.get(0).membership().epoch()) {
                return member + " is in " + member.membership() + ", " + ring.get(0) + " in "
                        + ring.get(0).membership();
            }
            ProcessId emitter = null;
            SortedSet<ProcessId> observers = new TreeSet<>();
            if (ring.size() > 1) {
                emitter = ring.get((i + ring.size() - 1) % ring.size()).id();
                observers.add(ring.get((i + 1) % ring.size()).id());
            }
            ProcessId heard = member.ring().emitter();
            boolean listens = emitter == null ? heard == null : emitter.equals(heard);
            if (!listens || !observers.equals(member.ring().observers())) {
                return member + " listens to " + heard + " and beats for "
                        + member.ring().observers() + " instead of " + emitter + " and " + observers;
            }
        }
        return null;
    }
}
