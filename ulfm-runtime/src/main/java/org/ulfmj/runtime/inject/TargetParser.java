package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.FaultTrigger;

/** Reads what stands between the colon and the {@code @} of a rule: its target and its arguments. */
final class TargetParser {
    private static final String RANK = "rank=";
    private static final String LINK = "link=";
    private static final String ALL = "*";
    private static final long MS_NS = 1_000_000;
    private static final long LONGEST_MS = 86_400_000;
    private static final int MOST_CODE = 255;
    private static final long DEFAULT_LONGEST_NS = 500 * MS_NS;
    /** What {@code of=} may name. */
    private static final List<FaultAction> DRAWABLE = List.of(
            FaultAction.KILL,
            FaultAction.EXIT,
            FaultAction.TERM,
            FaultAction.OOM,
            FaultAction.STOP,
            FaultAction.PAUSE,
            FaultAction.HANG,
            FaultAction.SLOW,
            FaultAction.RESET,
            FaultAction.BLACKHOLE,
            FaultAction.DELAY);

    private final FaultAction action;
    private final int size;
    private final SortedSet<Integer> ranks = new TreeSet<>();
    private int drawn;
    private int incarnation;
    private final HostParser hostParser;
    private boolean isByHost;
    private LinkChoice link;
    private HostChoice hosts;
    private FaultTerms terms = FaultTerms.NONE;
    private int max = 1;
    private final SortedSet<Integer> keep = new TreeSet<>();
    private long everyNs;
    private List<FaultAction> of = List.of(FaultAction.KILL);
    private boolean isInKeep;

    /** @param hosts the hosts of the job; null if it runs on one host */
    TargetParser(FaultAction action, int size, HostNames hosts) {
        this.action = action;
        this.hostParser = new HostParser(action, hosts);
        this.size = size;
    }

    void read(RulePart target) {
        List<RulePart> parts = target.split(',');
        takeTarget(parts.get(0));
        for (RulePart part : parts.subList(1, parts.size())) {
            int equals = part.indexOf("=");
            if (equals >= 0) {
                isInKeep = false;
                takeArgument(part.before(equals), part.after(equals + 1));
            } else if (isInKeep) {
                takeRange(part, keep);
            } else if (isByHost) {
                ranks.addAll(hostParser.ranks(part));
            } else if (action.isOfRank()) {
                takeRanks(part);
            } else {
                throw part.refused("'" + part.text() + "' is no argument" + allowed());
            }
        }
        if (action.isOfRank() && ranks.isEmpty() && drawn == 0) {
            throw target.refused("no rank is named; write " + action.word() + ":rank=2@t=2s");
        }
        if (action == FaultAction.THROTTLE && terms.bytesPerSecond() == 0
                || (action == FaultAction.DELAY || action == FaultAction.SLOW) && terms.lengthNs() == 0) {
            throw target.refused(action.word() + " lacks how much: write "
                    + (action == FaultAction.THROTTLE ? "rate=1MB/s" : "ms=50") + " behind its target");
        }
    }

    private void takeTarget(RulePart part) {
        String text = part.text();
        if (text.startsWith("groups=")) {
            throw part.refused("groups= is written with hosts here: partition:node=0+1/2@t=2s..6s");
        }
        if (action.isOfHosts()) {
            if (!text.startsWith(HostParser.NODE)) {
                throw part.refused("after " + action.word() + ": comes node=" + example() + ", not '" + text + "'");
            }
            hosts = hostParser.choice(part.after(HostParser.NODE.length()));
        } else if (action.isOfRank() && text.startsWith(HostParser.NODE)) {
            isByHost = true;
            ranks.addAll(hostParser.ranks(part.after(HostParser.NODE.length())));
        } else if (action.isOfRank()) {
            if (!text.startsWith(RANK)) {
                throw part.refused("after " + action.word() + ": comes rank=" + example() + ", not '" + text + "'");
            }
            RulePart first = part.after(RANK.length());
            if (first.text().startsWith("inc=")) {
                throw part.refused("no rank is named; write " + action.word() + ":rank=2,inc=1@t=2s");
            }
            takeRanks(first);
        } else if (action.actor() == FaultAction.Actor.LINK) {
            takeLink(part);
        } else if (!text.equals(ALL)) {
            throw part.refused("after " + action.word() + ": comes *, not '" + text + "'");
        }
    }

    private String example() {
        return switch (action.actor()) {
            case LAUNCHER, RANK -> ", as in " + action.word() + ":rank=2@t=2s";
            case LINK -> ", as in " + action.word() + ":link=0-1@t=2s";
            case HOSTS -> ", as in " + action.word() + ":node=0/1@t=2s..6s";
            case LAUNCHER_ITSELF -> ", as in " + action.word() + ":node=1@t=2s";
            default -> ", as in " + action.word() + ":*@t=2s";
        };
    }

    // ---- ranks

    /** Takes one item of a list of ranks: a rank, a range, or {@code any(k)}. */
    void takeRanks(RulePart part) {
        RulePart any = part.inside("any");
        if (any != null) {
            drawn += (int) any.number("any(k)", 1, size);
        } else {
            takeRange(part, ranks);
        }
    }

    private void takeRange(RulePart part, SortedSet<Integer> into) {
        int dash = part.indexOf("-");
        if (dash <= 0) {
            into.add(rank(part, size));
            return;
        }
        int first = rank(part.before(dash), size);
        int last = rank(part.after(dash + 1), size);
        if (first > last) {
            throw part.refused("the range " + part.text() + " is empty");
        }
        for (int rank = first; rank <= last; rank++) {
            into.add(rank);
        }
    }

    /** Reads a single rank. */
    static int rank(RulePart part, int size) {
        String text = part.text();
        if (text.equals("root")) {
            return 0;
        }
        if (text.equals("last")) {
            return size - 1;
        }
        RulePart before = part.inside("succ");
        if (before != null) {
            return (rank(before, size) + 1) % size;
        }
        try {
            int rank = Integer.parseInt(text);
            if (rank >= 0 && rank < size) {
                return rank;
            }
        } catch (NumberFormatException e) {
            throw part.refused("'" + text + "' is no rank; write a number, a range 1-4, any(k), root, last or succ(r)");
        }
        throw part.refused("there is no rank " + text + " among " + size + " (0 to " + (size - 1) + ")");
    }

    void takeIncarnation(int number) {
        incarnation = number;
    }

    // ---- links

    private void takeLink(RulePart part) {
        if (part.text().equals(ALL)) {
            link = LinkChoice.ALL;
            return;
        }
        if (!part.text().startsWith(LINK)) {
            throw part.refused("after " + action.word() + ": comes link=A-B, link=A>B or *, not '" + part.text() + "'");
        }
        RulePart ends = part.after(LINK.length());
        if (ends.text().equals(ALL)) {
            link = LinkChoice.ALL;
            return;
        }
        int arrow = ends.indexOf(">");
        int middle = arrow > 0 ? arrow : ends.indexOf("-");
        if (middle <= 0) {
            throw ends.refused("'" + ends.text() + "' is no link; write 0-1, 0>1, 0>* or *");
        }
        int from = end(ends.before(middle));
        int to = end(ends.after(middle + 1));
        if (from == to && from != LinkChoice.ANY) {
            throw ends.refused("rank " + from + " has no link to itself");
        }
        if (arrow > 0 && action == FaultAction.RESET) {
            throw ends.refused("a reset ends both directions of a connection; write link=A-B");
        }
        link = new LinkChoice(from, to, arrow <= 0);
    }

    private int end(RulePart part) {
        return part.text().equals(ALL) ? LinkChoice.ANY : rank(part, size);
    }

    // ---- arguments

    private void takeArgument(RulePart name, RulePart value) {
        if (!action.arguments().contains(name.text())) {
            throw name.refused("'" + name.text() + "=' is no argument of " + action.word() + allowed());
        }
        switch (name.text()) {
            case "inc" ->
                incarnation = value.text().equals(ALL)
                        ? FaultTrigger.EVERY_INCARNATION
                        : (int) value.number("inc", 0, Integer.MAX_VALUE);
            case "code" -> terms = terms.ending((int) value.number("code", 0, MOST_CODE));
            case "n" -> terms = terms.atMost(value.number("n", 1, Integer.MAX_VALUE));
            case "p" -> terms = terms.hitting(probability(value));
            case "ms" -> takeLength(value);
            case "max" -> max = (int) value.number("max", 1, Math.max(1, size - 1));
            case "keep" -> {
                isInKeep = true;
                takeRange(value, keep);
            }
            case "of" -> of = actions(value);
            default -> takeRate(value);
        }
    }

    private String allowed() {
        return action.arguments().isEmpty()
                ? "; it has none"
                : "; allowed: " + String.join("= ", action.arguments()) + "=";
    }

    private void takeLength(RulePart value) {
        int sign = value.indexOf("±");
        int signLength = 1;
        if (sign < 0) {
            sign = value.indexOf("+-");
            signLength = 2;
        }
        RulePart length = sign < 0 ? value : value.before(sign);
        long lengthNs = length.number("ms", 1, LONGEST_MS) * MS_NS;
        long spreadNs = 0;
        if (sign >= 0) {
            spreadNs = value.after(sign + signLength).number("ms", 0, lengthNs / MS_NS) * MS_NS;
        }
        terms = terms.lasting(lengthNs, spreadNs);
    }

    private static double probability(RulePart value) {
        try {
            double probability = Double.parseDouble(value.text());
            if (probability > 0 && probability <= 1) {
                return probability;
            }
        } catch (NumberFormatException e) {
            throw value.refused("p: '" + value.text() + "' is no number; write p=0.01");
        }
        throw value.refused("p: " + value.text() + " must be above 0, at most 1");
    }

    private void takeRate(RulePart value) {
        if (action == FaultAction.RANDOM) {
            int slash = value.indexOf("/");
            if (slash < 0 || !value.before(slash).text().equals("1")) {
                throw value.refused("rate: '" + value.text() + "' is no mean time between faults; write rate=1/3s");
            }
            everyNs = duration(value.after(slash + 1), "rate");
            if (everyNs == 0) {
                throw value.refused("rate: the time must be above 0");
            }
            return;
        }
        String text = value.text();
        for (String unit : List.of("MB/s", "kB/s", "B/s")) {
            if (text.endsWith(unit)) {
                long one = unit.startsWith("M") ? 1_000_000 : unit.startsWith("k") ? 1_000 : 1;
                RulePart number = value.before(text.length() - unit.length());
                terms = terms.passing(one * number.number("rate", 1, Integer.MAX_VALUE));
                return;
            }
        }
        throw value.refused("rate: '" + text + "' is no rate; write a number and one of B/s, kB/s, MB/s");
    }

    private static List<FaultAction> actions(RulePart value) {
        List<FaultAction> actions = new ArrayList<>();
        for (RulePart part : value.split('|')) {
            FaultAction each = FaultAction.of(part.text());
            if (each == null || !DRAWABLE.contains(each)) {
                List<String> words = new ArrayList<>();
                DRAWABLE.forEach(drawable -> words.add(drawable.word()));
                throw part.refused("of: '" + part.text() + "' cannot be drawn; allowed: " + String.join("|", words));
            }
            actions.add(each);
        }
        return actions;
    }

    /** Reads a time with its unit. */
    static long duration(RulePart part, String what) {
        try {
            return Durations.parseNs(what, part.text());
        } catch (IllegalArgumentException e) {
            throw part.refused(e.getMessage());
        }
    }

    // ---- the rule

    InjectRule rule(Moment moment, long durationNs) {
        RandomTerms random = action == FaultAction.RANDOM
                ? new RandomTerms(max, keep, everyNs, of, terms.lengthNs() == 0 ? DEFAULT_LONGEST_NS : terms.lengthNs())
                : null;
        return new InjectRule(action, ranks, drawn, incarnation, link, hosts, terms, random, moment, durationNs);
    }
}
