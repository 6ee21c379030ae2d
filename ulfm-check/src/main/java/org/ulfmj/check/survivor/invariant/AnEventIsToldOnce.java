package org.ulfmj.check.survivor.invariant;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.Watch;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.LiveMembers;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.Violation;

/**
 * No process sends a revocation or an obituary twice to the same process, nor to a process that is no neighbour at that
 * moment. An obituary may also go, once, to the process that it is about.
 */
final class AnEventIsToldOnce implements Watch {
    private final List<SortedMap<Long, Integer>> revokes = new ArrayList<>();
    private final List<SortedMap<Integer, Integer>> obituaries = new ArrayList<>();

    /**
     * The neighbours, as bits, of the rank that was checked last. They are remembered because a rank tells several
     * neighbours in a row.
     */
    private int lastNeighbours;

    private SurvivorRank lastRank;
    private SlotSet lastGone;
    private SlotRuns lastMembers;

    AnEventIsToldOnce(int size) {
        for (int slot = 0; slot < size; slot++) {
            revokes.add(new TreeMap<>());
            obituaries.add(new TreeMap<>());
        }
    }

    @Override
    public void stepBegins(SurvivorRank rank, ProcessId from, ControlMessage message) {
        lastRank = null;
    }

    @Override
    public void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {
        int me = rank.id().slot();
        if (message instanceof ControlMessage.Revoke revoke) {
            count(revokes.get(me), revoke.communicator(), rank, to, message);
            requireNeighbour(rank, to, revoke.members(), message);
        } else if (message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary obituary) {
            count(obituaries.get(me), obituary.failed().slot(), rank, to, message);
            if (!to.equals(obituary.failed())) {
                requireNeighbour(rank, to, rank.membership().slots(), message);
            }
        }
    }

    private <K> void count(
            SortedMap<K, Integer> told, K event, SurvivorRank rank, ProcessId to, ControlMessage message) {
        int before = told.getOrDefault(event, 0);
        int now = before | 1 << to.slot();
        if (now == before) {
            throw new Violation(name() + ": " + rank + " tells " + to + " again of " + message);
        }
        told.put(event, now);
    }

    private void requireNeighbour(SurvivorRank rank, ProcessId to, SlotRuns members, ControlMessage message) {
        SlotSet gone = rank.failures().goneAmong(members, rank.membership());
        if (rank != lastRank || !gone.equals(lastGone) || !members.equals(lastMembers)) {
            lastRank = rank;
            lastGone = gone;
            lastMembers = members;
            lastNeighbours = neighbours(rank, members, gone);
        }
        if ((lastNeighbours & 1 << to.slot()) == 0) {
            throw new Violation(name() + ": " + rank + " tells " + to + ", no neighbour of it, of " + message);
        }
    }

    private static int neighbours(SurvivorRank rank, SlotRuns members, SlotSet gone) {
        LiveMembers live = LiveMembers.of(members, gone);
        int neighbours = 0;
        for (int place : BinomialGraph.neighbours(live.place(rank.id().slot()), live.size())) {
            neighbours |= 1 << live.slot(place);
        }
        return neighbours;
    }
}
