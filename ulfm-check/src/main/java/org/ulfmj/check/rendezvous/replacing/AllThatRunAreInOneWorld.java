package org.ulfmj.check.rendezvous.replacing;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;

/**
 * Invariants: a world, which is a round and an epoch, has one table, and a process that runs in a world is in its
 * table. No two processes run in different rounds, and no process runs that the launcher never started.
 */
record AllThatRunAreInOneWorld(Map<Integer, Worker> byNode, Map<Long, List<MemberRecord>> tables) implements Invariant {
    AllThatRunAreInOneWorld(Map<Integer, Worker> byNode) {
        this(byNode, new TreeMap<>());
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        Worker stepped = byNode.get(process.node());
        if (stepped == null || !stepped.isRunning()) {
            return;
        }
        if (stepped.id().incarnation() == Worker.STRAY) {
            throw new Violation(process + " runs, and the launcher never started it");
        }
        long world = (long) stepped.round() << Integer.SIZE | stepped.epoch();
        List<MemberRecord> table = tables.putIfAbsent(world, stepped.table());
        if (table != null && !table.equals(stepped.table())) {
            throw new Violation(process + " runs in round " + stepped.round() + ", epoch " + stepped.epoch() + " with "
                    + stepped.table() + ", others with " + table);
        }
        if (stepped.table().stream().noneMatch(member -> member.nonce() == stepped.node())) {
            throw new Violation(process + " runs in a world without itself: " + stepped.table());
        }
        for (Worker other : byNode.values()) {
            if (other.isRunning() && other.round() != stepped.round()) {
                throw new Violation(process + " runs in round " + stepped.round() + ", " + other.process()
                        + " in round " + other.round());
            }
        }
    }
}
