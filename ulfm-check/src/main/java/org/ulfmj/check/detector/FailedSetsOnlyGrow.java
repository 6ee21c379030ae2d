package org.ulfmj.check.detector;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Invariant: a process that is marked failed stays marked, and the list of marked processes, in the order of marking,
 * only grows at its end.
 */
final class FailedSetsOnlyGrow implements Invariant {
    private final List<? extends Member> members;
    private final List<List<ProcessId>> seen = new ArrayList<>();

    FailedSetsOnlyGrow(List<? extends Member> members) {
        this.members = members;
        members.forEach(member -> seen.add(new ArrayList<>()));
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        List<ProcessId> before = seen.get(process.node());
        List<ProcessId> now = members.get(process.node()).failures().failedInOrder();
        int last = before.size() - 1;
        if (now.size() == before.size() && (last < 0 || now.get(last).equals(before.get(last)))) {
            return;
        }
        if (now.size() < before.size() || !now.subList(0, before.size()).equals(before)) {
            throw new Violation(name() + ": " + process + " held " + before + " for failed, now " + now);
        }
        for (int i = before.size(); i < now.size(); i++) {
            before.add(now.get(i));
        }
    }
}
