package org.ulfmj.check.rendezvous.elastic;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;

/**
 * Invariants: a world, which is a round and an epoch, has one table; a process that runs is in its table; no two
 * processes run in different rounds. No process that is not excused is fenced or told FENCED or NO_CONFIRM, and none is
 * told CLOSED before the gathering is closed. At rest, unless no coordinator is left, each live process that has called
 * runs or waits for a world that runs; and each process that runs knows which members of its world have ended, by their
 * names in that world. At the end the gathering is neither frozen nor in its last call, and it is in its final phase if
 * a process runs and a coordinator has the office.
 */
public record AllRunInOneWorldOrKnowWhyNot(
        Simulation world,
        Gathering gathering,
        Map<Integer, ? extends Applicant<?>> byNode,
        Map<Long, List<MemberRecord>> tables)
        implements Invariant {
    public AllRunInOneWorldOrKnowWhyNot(
            Simulation world, Gathering gathering, Map<Integer, ? extends Applicant<?>> byNode) {
        this(world, gathering, byNode, new TreeMap<>());
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        Applicant<?> stepped = byNode.get(process.node());
        if (stepped == null) {
            return;
        }
        requireCause(process, stepped);
        if (!stepped.isRunning()) {
            return;
        }
        long number = (long) stepped.round() << Integer.SIZE | stepped.epoch();
        List<MemberRecord> table = tables.putIfAbsent(number, stepped.table());
        if (table != null && !table.equals(stepped.table())) {
            throw new Violation(process + " runs in a world with " + stepped.table() + ", others with " + table);
        }
        if (stepped.table().stream().noneMatch(member -> member.nonce() == stepped.node())) {
            throw new Violation(process + " runs in a world without itself: " + stepped.table());
        }
        for (Applicant<?> other : byNode.values()) {
            if (other.isRunning() && other.round() != stepped.round()) {
                throw new Violation(process + " runs in round " + stepped.round() + ", " + other.process()
                        + " in round " + other.round());
            }
        }
    }

    private void requireCause(SimProcess<?, ?> process, Applicant<?> stepped) {
        OutReason reason = stepped.reason();
        boolean isThrownOut = stepped.isFenced() || reason == OutReason.FENCED || reason == OutReason.NO_CONFIRM;
        if (isThrownOut && !stepped.isExcused()) {
            throw new Violation(process + " was thrown out without cause: " + reason);
        }
        if (reason == OutReason.CLOSED && !gathering.isClosed()) {
            throw new Violation(process + " was told CLOSED, and no CLOSE was given");
        }
    }

    @Override
    public String open() {
        if (!gathering.isThere()) {
            return null;
        }
        boolean doesOneRun = byNode.values().stream().anyMatch(Applicant::isRunning);
        for (Applicant<?> one : byNode.values()) {
            boolean isAnswered = one.isRunning() || one.isPending() && doesOneRun;
            if (one.process().isRunning() && one.hasCalled() && !isAnswered) {
                return one.process() + " neither runs, nor waits for a world that runs, nor was told why not";
            }
            MemberRecord unheard = one.isRunning() ? deadAndUnknownTo(one) : null;
            if (unheard != null) {
                return one.process() + " does not know that " + unheard.id() + " is dead";
            }
        }
        return null;
    }

    /** A member of a process's world that has ended without that process's knowledge; null if there is none. */
    private MemberRecord deadAndUnknownTo(Applicant<?> one) {
        for (MemberRecord member : one.table()) {
            boolean isOver = !byNode.get((int) member.nonce()).process().isRunning();
            if (isOver && !one.knowsDead(member.id())) {
                return member;
            }
        }
        return null;
    }

    @Override
    public void atEnd() {
        RendezvousCore.Phase phase = gathering.phase();
        if (phase == RendezvousCore.Phase.FROZEN || phase == RendezvousCore.Phase.LAST_CALL) {
            throw new Violation("every phase ends, but " + phase + " did not");
        }
        for (Applicant<?> one : byNode.values()) {
            if (one.isRunning() && phase != null && phase != RendezvousCore.Phase.FINAL) {
                throw new Violation(one.process() + " runs, but the gathering is in phase " + phase);
            }
            if (one.reason() != null) {
                world.cover("told " + one.reason());
            }
            if (one.isPending()) {
                world.cover("waits");
            }
            if (one.isRunning() && one.round() > 1) {
                world.cover("a later round");
            }
        }
    }
}
