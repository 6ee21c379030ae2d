package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The graph of which rank waits for which, and the ranks in a deadlock in it. A rank whose main thread does not wait
 * can go on. A waiting rank can go on if the wait of one of its threads can end: what that wait needs can come from
 * ranks that can go on, all its needs, or one of them where one is enough. A short wait counts as one that can end. The
 * ranks that are left when this has been applied repeatedly are in a deadlock: they can only wait for each other.
 */
final class WaitGraph {
    /**
     * The least length of a wait that counts. A shorter wait may occur in a program without a deadlock, since the
     * reports are not taken at the same moment.
     */
    private static final long SETTLED_NS = 1_000_000_000;

    private final SortedMap<Integer, RankView> views = new TreeMap<>();
    private final SortedSet<Integer> stuck = new TreeSet<>();

    WaitGraph(Collection<RankView> all) {
        this(all, Set.of());
    }

    /** @param silent ranks that do not wait and nevertheless count as unable to go on */
    WaitGraph(Collection<RankView> all, Set<Integer> silent) {
        for (RankView view : all) {
            views.put(view.slot(), view);
            if (view.isWaiting() || silent.contains(view.slot())) {
                stuck.add(view.slot());
            }
        }
        while (stuck.removeIf(slot -> !silent.contains(slot) && canGoOn(slot))) {
            // The loop runs until a pass removes no rank from the stuck ones.
        }
    }

    /** Ranks in a deadlock, ascending. */
    SortedSet<Integer> stuck() {
        return stuck;
    }

    /**
     * Returns the waiting ranks that are in no deadlock, by the rank (root) that they wait for in the end, directly or
     * through other waiting ranks in between. The root does not wait itself.
     */
    SortedMap<Integer, SortedSet<Integer>> waitersByRoot() {
        SortedMap<Integer, SortedSet<Integer>> waiters = new TreeMap<>();
        for (RankView view : views.values()) {
            if (view.isWaiting() && !stuck.contains(view.slot())) {
                for (int root : rootsOf(view)) {
                    waiters.computeIfAbsent(root, slot -> new TreeSet<>()).add(view.slot());
                }
            }
        }
        return waiters;
    }

    /**
     * Returns the ranks that have waited at least so long for the rank {@code slot}, perhaps among others, in a call
     * that only stuck ranks could end.
     */
    List<Integer> waitersFor(int slot, long atLeastNs) {
        List<Integer> waiters = new ArrayList<>();
        for (RankView view : views.values()) {
            if (view.slot() != slot && view.report() != null) {
                for (Wait wait : view.report().waits()) {
                    boolean isNew = waiters.isEmpty() || waiters.get(waiters.size() - 1) != view.slot();
                    if (isNew && wait.forNs() >= atLeastNs && needs(view.slot(), wait, slot)) {
                        waiters.add(view.slot());
                    }
                }
            }
        }
        return waiters;
    }

    private boolean needs(int waiter, Wait wait, int slot) {
        if (canEnd(waiter, wait)) {
            return false;
        }
        for (Need need : wait.needs()) {
            if (candidates(waiter, need).contains(slot)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns cycles among the ranks in a deadlock: each rank of a cycle waits for the next, and the last for the
     * first. A rank is in one cycle at most.
     */
    List<List<Integer>> cycles() {
        List<List<Integer>> cycles = new ArrayList<>();
        SortedSet<Integer> seen = new TreeSet<>();
        for (int start : stuck) {
            List<Integer> path = new ArrayList<>();
            Integer at = start;
            while (at != null && seen.add(at)) {
                path.add(at);
                at = firstStuckPeer(at);
            }
            int from = at == null ? -1 : path.indexOf(at);
            if (from >= 0) {
                cycles.add(List.copyOf(path.subList(from, path.size())));
            }
        }
        return cycles;
    }

    private Integer firstStuckPeer(int slot) {
        for (Wait wait : views.get(slot).report().waits()) {
            for (Need need : wait.needs()) {
                for (int candidate : candidates(slot, need)) {
                    if (stuck.contains(candidate)) {
                        return candidate;
                    }
                }
            }
        }
        return null;
    }

    private boolean canGoOn(int slot) {
        for (Wait wait : views.get(slot).report().waits()) {
            if (canEnd(slot, wait)) {
                return true;
            }
        }
        return false;
    }

    private boolean canEnd(int slot, Wait wait) {
        if (wait.forNs() < SETTLED_NS || wait.needs().isEmpty() || wait.isAny() && wait.moreNeeds() > 0) {
            return true;
        }
        for (Need need : wait.needs()) {
            boolean canCome = canCome(slot, need);
            if (canCome == wait.isAny()) {
                return canCome;
            }
        }
        return !wait.isAny();
    }

    private boolean canCome(int slot, Need need) {
        Collection<Integer> candidates = candidates(slot, need);
        if (candidates.isEmpty()) {
            // The need names no rank, so nothing shows that it cannot be met: it counts as one that can.
            return true;
        }
        for (int candidate : candidates) {
            boolean isFree = !stuck.contains(candidate);
            if (isFree == need.isAny()) {
                return isFree;
            }
        }
        return !need.isAny();
    }

    /**
     * Returns the ranks that a need waits for. If any member will do, these are all other ranks of the job, because
     * reports do not list a communicator's members.
     */
    private Collection<Integer> candidates(int slot, Need need) {
        SortedSet<Integer> slots = new TreeSet<>();
        if (need.peers().isEmpty() && need.isAny()) {
            slots.addAll(views.keySet());
            slots.remove(slot);
        }
        for (AwaitedRank peer : need.peers()) {
            slots.add(peer.slot());
        }
        return slots;
    }

    private SortedSet<Integer> rootsOf(RankView waiter) {
        SortedSet<Integer> roots = new TreeSet<>();
        SortedSet<Integer> seen = new TreeSet<>();
        List<Integer> open = new ArrayList<>();
        open.add(waiter.slot());
        while (!open.isEmpty()) {
            int slot = open.remove(open.size() - 1);
            RankView view = views.get(slot);
            if (!seen.add(slot)) {
                continue;
            }
            if (view == null || !view.isWaiting()) {
                roots.add(slot);
                continue;
            }
            for (Wait wait : view.report().waits()) {
                for (Need need : wait.needs()) {
                    if (!need.isAny() || !need.peers().isEmpty()) {
                        open.addAll(candidates(slot, need));
                    }
                }
            }
        }
        return roots;
    }

    /** Returns the views of all ranks, in ascending order. */
    Map<Integer, RankView> views() {
        return views;
    }
}
