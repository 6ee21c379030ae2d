package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The conclusions from the reports of all ranks: which ranks are in a deadlock, which rank the others wait for in the
 * end, which collective calls do not match, and which rank is marked failed although it is not known to be dead.
 */
final class WaitVerdict {
    private static final int MOST_OF_A_KIND = 8;
    private static final int LONGEST_CYCLE = 12;

    /** Identifies a collective call by its communicator and its number there. */
    private record Call(long communicator, long number) implements Comparable<Call> {
        @Override
        public int compareTo(Call other) {
            int order = Long.compare(communicator, other.communicator);
            return order != 0 ? order : Long.compare(number, other.number);
        }
    }

    private final SortedMap<Integer, RankView> views;
    private final WaitGraph graph;
    private final List<String> lines = new ArrayList<>();

    WaitVerdict(SortedMap<Integer, RankView> views) {
        this.views = views;
        this.graph = new WaitGraph(views.values());
    }

    List<String> lines() {
        addMismatches();
        addDeadlocks();
        addRoots();
        addSuspicions();
        return lines;
    }

    private void add(String line) {
        lines.add("  => " + line);
    }

    private void addDeadlocks() {
        SortedSet<Integer> others = new TreeSet<>(graph.stuck());
        List<List<Integer>> cycles = graph.cycles();
        int told = 0;
        for (List<Integer> cycle : cycles) {
            others.removeAll(cycle);
            if (told++ < MOST_OF_A_KIND) {
                add("deadlock: " + inWords(cycle));
            }
        }
        if (told > MOST_OF_A_KIND) {
            add("and " + (told - MOST_OF_A_KIND) + " more deadlocks");
        }
        if (!others.isEmpty()) {
            add(RankList.of(others) + (others.size() == 1 ? " waits" : " wait") + " for "
                    + (cycles.isEmpty() ? "each other" : "these"));
        }
    }

    private static String inWords(List<Integer> cycle) {
        if (cycle.size() == 1) {
            return "rank " + cycle.get(0) + " waits for itself";
        }
        StringBuilder text = new StringBuilder("rank ");
        for (int i = 0; i < cycle.size() && i < LONGEST_CYCLE; i++) {
            text.append(i == 0 ? "" : ", ").append(cycle.get(i));
            text.append(i == 0 ? " waits for " : " for ").append(cycle.get((i + 1) % cycle.size()));
        }
        return cycle.size() <= LONGEST_CYCLE
                ? text.toString()
                : text.append(" and so on, ")
                        .append(cycle.size())
                        .append(" ranks in a circle")
                        .toString();
    }

    private void addRoots() {
        SortedMap<Integer, SortedSet<Integer>> waiters = graph.waitersByRoot();
        List<Integer> roots = new ArrayList<>(waiters.keySet());
        // This page has no view of some roots, as where it is the page of one rank alone. The waiting rank's own line
        // says all that is known.
        roots.removeIf(root -> !views.containsKey(root));
        roots.sort(Comparator.comparing((Integer root) -> -waiters.get(root).size())
                .thenComparing(root -> root));
        int told = 0;
        for (int root : roots) {
            if (told++ == MOST_OF_A_KIND) {
                add("and for " + (roots.size() - MOST_OF_A_KIND) + " more ranks that do not wait themselves");
                return;
            }
            SortedSet<Integer> ranks = waiters.get(root);
            String who = ranks.size() > 1 && areAllOthers(root, ranks)
                    ? "every other rank waits"
                    : RankList.of(ranks) + (ranks.size() == 1 ? " waits" : " wait");
            add(who + " for rank " + root + description(root) + throughOthers(root, ranks));
        }
    }

    private boolean areAllOthers(int root, SortedSet<Integer> ranks) {
        for (RankView view : views.values()) {
            if (view.slot() != root && !view.isGone() && !ranks.contains(view.slot())) {
                return false;
            }
        }
        return true;
    }

    private String description(int root) {
        WaitPhrase phrase = WaitPage.phrases(views.get(root)).get(0);
        String time = WaitPhrase.time(phrase.forNs(), phrase.forNs());
        return ", which " + phrase.verb() + (time.isEmpty() ? "" : " for " + time) + " " + phrase.what();
    }

    private String throughOthers(int root, SortedSet<Integer> ranks) {
        for (int slot : ranks) {
            if (!waitsDirectly(slot, root)) {
                return "; directly or through others";
            }
        }
        return "";
    }

    private boolean waitsDirectly(int slot, int root) {
        for (Wait wait : views.get(slot).report().waits()) {
            for (Need need : wait.needs()) {
                for (AwaitedRank peer : need.peers()) {
                    if (peer.slot() == root) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * Adds a sentence for each collective call, eight at most, in which ranks wait and which does not match: the
     * collective call with a given number on a communicator must be the same at all its members.
     */
    private void addMismatches() {
        SortedMap<Call, SortedMap<String, SortedSet<Integer>>> calls = new TreeMap<>();
        Map<Long, String> names = new TreeMap<>();
        for (RankView view : views.values()) {
            for (Wait wait :
                    view.report() == null ? List.<Wait>of() : view.report().waits()) {
                for (Need need : wait.needs()) {
                    if (need.number() >= 0) {
                        names.put(need.communicatorId(), need.communicator());
                        calls.computeIfAbsent(new Call(need.communicatorId(), need.number()), call -> new TreeMap<>())
                                .computeIfAbsent(need.action(), action -> new TreeSet<>())
                                .add(view.slot());
                    }
                }
            }
        }
        int told = 0;
        for (Map.Entry<Call, SortedMap<String, SortedSet<Integer>>> entry : calls.entrySet()) {
            if (entry.getValue().size() > 1 && told++ < MOST_OF_A_KIND) {
                List<String> parts = new ArrayList<>();
                entry.getValue().forEach((action, slots) -> parts.add(action + " at " + RankList.of(slots)));
                add("collective call " + entry.getKey().number() + " on "
                        + names.get(entry.getKey().communicator()) + " is " + String.join(", ", parts)
                        + ": all members must make the same calls in the same order");
            }
        }
    }

    /**
     * Adds a sentence for each rank, eight at most, that ranks have marked failed and that is not known to be dead or
     * to have finalized.
     */
    private void addSuspicions() {
        SortedMap<Integer, SortedSet<Integer>> holders = new TreeMap<>();
        for (RankView view : views.values()) {
            for (int slot :
                    view.report() == null ? List.<Integer>of() : view.report().failed()) {
                holders.computeIfAbsent(slot, failed -> new TreeSet<>()).add(view.slot());
            }
        }
        int told = 0;
        for (Map.Entry<Integer, SortedSet<Integer>> entry : holders.entrySet()) {
            RankView about = views.get(entry.getKey());
            if ((about == null || !about.isGone()) && told++ < MOST_OF_A_KIND) {
                add("rank " + entry.getKey() + " is held for failed by " + RankList.of(entry.getValue()));
            }
        }
    }
}
