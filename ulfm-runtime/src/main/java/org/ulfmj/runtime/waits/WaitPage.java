package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The page about all ranks' waits that a person reads. It has lines for what the ranks' threads do, where ranks that do
 * the same share a line, in the order of the lowest rank; then how many messages have arrived and wait for their
 * communicator or for a receive; then, after arrows, what follows from all that ({@link WaitVerdict}).
 */
public final class WaitPage {
    private static final int MOST_LINES = 80;
    private static final int MOST_PAIRS = 16;
    private static final int WIDEST_COLUMN = 24;

    /** One line of the page: what one or several ranks do alike. */
    private static final class Fold {
        final SortedMap<Integer, WaitPhrase> bySlot = new TreeMap<>();

        WaitPhrase any() {
            return bySlot.get(bySlot.firstKey());
        }

        String ranks() {
            String thread = any().thread();
            return RankList.of(bySlot.keySet()) + (thread.isEmpty() ? "" : ", thread " + thread);
        }

        String text() {
            long leastNs = Long.MAX_VALUE;
            long mostNs = 0;
            for (WaitPhrase phrase : bySlot.values()) {
                leastNs = Math.min(leastNs, phrase.forNs());
                mostNs = Math.max(mostNs, phrase.forNs());
            }
            String time = WaitPhrase.time(leastNs, mostNs);
            return any().verb(bySlot.size() > 1)
                    + (time.isEmpty() ? " " : " for " + time + " ")
                    + any().what()
                    + whom()
                    + any().rest();
        }

        private String whom() {
            String common = any().whom();
            for (WaitPhrase phrase : bySlot.values()) {
                if (!phrase.whom().equals(common)) {
                    return pairs();
                }
            }
            return common;
        }

        private String pairs() {
            StringBuilder text = new StringBuilder();
            int count = 0;
            for (Map.Entry<Integer, WaitPhrase> entry : bySlot.entrySet()) {
                if (count++ == MOST_PAIRS) {
                    text.append(", and ").append(bySlot.size() - MOST_PAIRS).append(" more");
                    break;
                }
                text.append(text.length() == 0 ? " (" : ", ")
                        .append(entry.getKey())
                        .append(" for ");
                String whom = entry.getValue().bareWhom();
                text.append(whom.isEmpty() ? "none" : whom);
            }
            return text.append(')').toString();
        }
    }

    private WaitPage() {}

    /** Returns the lines of the page, without a title. Their number is limited, however many ranks there are. */
    public static List<String> of(Collection<RankView> ranks) {
        SortedMap<Integer, RankView> views = new TreeMap<>();
        for (RankView view : ranks) {
            views.put(view.slot(), view);
        }
        List<String> lines = new ArrayList<>(columns(fold(views.values())));
        lines.addAll(backlog(views.values()));
        lines.addAll(new WaitVerdict(views).lines());
        return lines;
    }

    private static Collection<Fold> fold(Collection<RankView> views) {
        Map<String, Fold> folds = new LinkedHashMap<>();
        for (RankView view : views) {
            for (WaitPhrase phrase : phrases(view)) {
                folds.computeIfAbsent(phrase.key(), key -> new Fold()).bySlot.put(view.slot(), phrase);
            }
        }
        return folds.values();
    }

    static List<WaitPhrase> phrases(RankView view) {
        if (view.report() == null) {
            return List.of(WaitPhrase.of(view));
        }
        List<WaitPhrase> phrases = new ArrayList<>();
        if (!view.isWaiting()) {
            phrases.add(WaitPhrase.of(view.report().main()));
        }
        for (Wait wait : view.report().waits()) {
            phrases.add(WaitPhrase.of(wait));
        }
        int more = view.report().moreWaits();
        if (more > 0) {
            phrases.add(new WaitPhrase("", "has", more + " more threads that wait in MPI", 0, "", "", ""));
        }
        return phrases;
    }

    private static List<String> columns(Collection<Fold> folds) {
        int width = 0;
        for (Fold fold : folds) {
            int length = fold.ranks().length();
            width = length > WIDEST_COLUMN ? width : Math.max(width, length);
        }
        List<String> lines = new ArrayList<>();
        for (Fold fold : folds) {
            if (lines.size() == MOST_LINES) {
                lines.add("  and " + (folds.size() - MOST_LINES) + " more lines");
                break;
            }
            String ranks = fold.ranks();
            lines.add("  " + ranks + " ".repeat(Math.max(0, width - ranks.length())) + "  " + fold.text());
        }
        return lines;
    }

    private static List<String> backlog(Collection<RankView> views) {
        SortedMap<Integer, Integer> held = new TreeMap<>();
        SortedMap<Integer, Integer> unreceived = new TreeMap<>();
        for (RankView view : views) {
            if (view.report() != null && view.report().held() > 0) {
                held.put(view.slot(), view.report().held());
            }
            if (view.report() != null && view.report().unreceived() > 0) {
                unreceived.put(view.slot(), view.report().unreceived());
            }
        }
        List<String> lines = new ArrayList<>();
        addCounts(lines, "messages for communicators that their receiver has not made yet: ", held);
        addCounts(lines, "messages that have arrived and that no receive has asked for: ", unreceived);
        return lines;
    }

    private static void addCounts(List<String> lines, String what, SortedMap<Integer, Integer> counts) {
        if (counts.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder("  ").append(what);
        String separator = "";
        int listed = 0;
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            if (listed++ == MOST_PAIRS) {
                text.append(", and others at ")
                        .append(counts.size() - MOST_PAIRS)
                        .append(" ranks");
                break;
            }
            text.append(separator).append(entry.getValue()).append(" at rank ").append(entry.getKey());
            separator = ", ";
        }
        lines.add(text.toString());
    }
}
