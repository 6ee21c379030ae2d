package org.ulfmj.testkit.sim;

import java.util.List;
import java.util.Locale;

/** Finds the first event in which two runs of one seed differ. */
final class Difference {
    private static final double NS_PER_MS = 1e6;

    private Difference() {}

    /** Returns the difference in words. If no kept event differs, the text says so. */
    static String between(SimResult one, SimResult other) {
        List<SimJournal.Entry> first = one.journal().entries();
        List<SimJournal.Entry> second = other.journal().entries();
        int common = Math.min(first.size(), second.size());
        for (int i = 0; i < common; i++) {
            if (!first.get(i).isSameAs(second.get(i))) {
                return "event " + i + " was, in one run,\n    " + text(first.get(i)) + "\nand in the other\n    "
                        + text(second.get(i));
            }
        }
        if (first.size() != second.size()) {
            SimJournal.Entry extra = (first.size() > common ? first : second).get(common);
            return "one run ended after " + common + " events, the other went on with\n    " + text(extra);
        }
        if (one.logHash() != other.logHash()) {
            return "the first difference comes after the first " + common + " events, which are all that are kept";
        }
        return "more runs of it were alike";
    }

    private static String text(SimJournal.Entry entry) {
        return String.format(
                Locale.ROOT,
                "%.6f ms: %s (digest %016x; its last call: %s)",
                (entry.timeNs() - SimJob.START_NS) / NS_PER_MS,
                entry.describe(),
                entry.digest(),
                entry.call());
    }
}
