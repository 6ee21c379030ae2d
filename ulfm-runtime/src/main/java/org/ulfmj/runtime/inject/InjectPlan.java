package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** All rules that {@code --inject} and {@code --inject-file} gave, in their order. Immutable. */
public final class InjectPlan {
    /** The unit in which times are drawn, a millisecond: a repeated run does not hit a moment more exactly anyway. */
    static final long DRAWN_UNIT_NS = 1_000_000;

    private static final String ORIGIN = "--inject";

    private final List<InjectRule> rules;
    private final int size;
    /** Null in a job on one host. */
    private final HostNames hosts;

    private InjectPlan(List<InjectRule> rules, int size, HostNames hosts) {
        this.rules = rules;
        this.size = size;
        this.hosts = hosts;
    }

    /** The plan by which nothing happens. */
    public static InjectPlan none() {
        return new InjectPlan(List.of(), 1, null);
    }

    /**
     * Reads a plan.
     *
     * @param texts values of {@code --inject}, each one or more rules separated by {@code ;}
     * @param size how many processes the job has
     * @throws IllegalArgumentException saying which rule cannot be understood, and why, or that {@code any(k)} asks for
     *     too many ranks
     */
    public static InjectPlan parse(List<String> texts, int size) {
        return parse(texts, size, null);
    }

    /**
     * As {@link #parse(List, int)}.
     *
     * @param hosts the hosts of the job; null in a job on one host
     */
    public static InjectPlan parse(List<String> texts, int size, HostNames hosts) {
        InjectPlan plan = new InjectPlan(List.copyOf(rules(ORIGIN, texts, size, hosts)), size, hosts);
        plan.checkEnoughToDrawFrom();
        return plan;
    }

    /**
     * Returns this plan with the rules in the lines of a file behind its own; {@code #} at the beginning of a line or
     * behind a blank begins a comment.
     *
     * @param file the name of the file, for messages
     */
    public InjectPlan with(String file, List<String> lines) {
        List<InjectRule> all = new ArrayList<>(rules);
        for (int i = 0; i < lines.size(); i++) {
            int comment = lines.get(i).indexOf('#');
            // A # directly behind a name is the number of a call; a comment stands at the beginning of a line, or
            // behind a blank.
            while (comment > 0 && !Character.isWhitespace(lines.get(i).charAt(comment - 1))) {
                comment = lines.get(i).indexOf('#', comment + 1);
            }
            String line = comment < 0 ? lines.get(i) : lines.get(i).substring(0, comment);
            all.addAll(rules("--inject-file " + file + ", line " + (i + 1) + ":", List.of(line), size, hosts));
        }
        InjectPlan plan = new InjectPlan(List.copyOf(all), size, hosts);
        plan.checkEnoughToDrawFrom();
        return plan;
    }

    private static List<InjectRule> rules(String origin, List<String> texts, int size, HostNames hosts) {
        List<InjectRule> rules = new ArrayList<>();
        for (String text : texts) {
            for (String rule : text.split(";")) {
                if (!rule.isBlank()) {
                    rules.add(new InjectParser(origin, rule.trim(), size, hosts).rule());
                }
            }
        }
        return rules;
    }

    /**
     * Reads one fault that {@link PlannedFault#toString} wrote, with the words by which processes know its hosts.
     *
     * @param number the number of the fault in its plan
     */
    public static PlannedFault read(int number, String text, int size) {
        InjectRule rule = new InjectParser(ORIGIN, text, size, HostNames.IN_PROCESSES).rule();
        int rank = rule.ranks().isEmpty() ? PlannedFault.NO_RANK : rule.ranks().first();
        return fault(rule, number, rank, rule.moment());
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /** Whether some rule is for links, or may draw faults of links, so that the job needs TCP. */
    public boolean hasLinkRules() {
        for (InjectRule rule : rules) {
            boolean drawsLinks = rule.random() != null
                    && rule.random().of().stream().anyMatch(each -> each.actor() == FaultAction.Actor.LINK);
            if (rule.link() != null || drawsLinks) {
                return true;
            }
        }
        return false;
    }

    /** Whether some rule leaves something to be drawn, so that the plan depends on a seed. */
    public boolean isRandom() {
        for (InjectRule rule : rules) {
            if (rule.isRandom()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the faults of the plan with ranks, times and everything else drawn: the same seed gives the same faults.
     * {@code any(k)} does not draw a rank that a rule names or that another {@code any(k)} has drawn.
     */
    public List<PlannedFault> draw(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Integer> free = freeRanks();
        List<PlannedFault> faults = new ArrayList<>();
        for (InjectRule rule : rules) {
            if (rule.random() != null) {
                new RandomFaults(rule, size, random).addTo(faults);
            } else if (rule.action().isOfRank()) {
                SortedSet<Integer> targets = new TreeSet<>(rule.ranks());
                for (int i = 0; i < rule.drawn(); i++) {
                    targets.add(free.remove(random.nextInt(free.size())));
                }
                for (int rank : targets) {
                    faults.add(fault(rule, faults.size() + 1, rank, drawn(rule.moment(), random)));
                }
            } else {
                faults.add(fault(rule, faults.size() + 1, PlannedFault.NO_RANK, rule.moment()));
            }
        }
        return faults;
    }

    private static PlannedFault fault(InjectRule rule, int number, int rank, Moment moment) {
        return new PlannedFault(
                number,
                rule.action(),
                rank,
                rule.incarnation(),
                rule.link(),
                rule.hosts(),
                rule.terms(),
                moment,
                rule.durationNs());
    }

    private static Moment drawn(Moment moment, SplittableRandom random) {
        if (moment instanceof Moment.AtRandomOperation at) {
            return new Moment.AtOperation(at.operation(), 1 + random.nextLong(at.within()), at.part());
        }
        if (moment instanceof Moment.AtRandomByte at) {
            return new Moment.AtByte(1 + random.nextLong(at.within()));
        }
        return moment instanceof Moment.AtRandomTime at
                ? new Moment.AtTime(random.nextLong(at.withinNs() / DRAWN_UNIT_NS + 1) * DRAWN_UNIT_NS)
                : moment;
    }

    private List<Integer> freeRanks() {
        List<Integer> free = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            free.add(rank);
        }
        for (InjectRule rule : rules) {
            free.removeAll(rule.ranks());
        }
        return free;
    }

    private void checkEnoughToDrawFrom() {
        int wanted = 0;
        for (InjectRule rule : rules) {
            wanted += rule.drawn();
        }
        int free = freeRanks().size();
        if (wanted > free) {
            throw new IllegalArgumentException("--inject: any(k) asks for " + wanted + " ranks, but only " + free
                    + " of " + size + " are not named by a rule already");
        }
    }
}
