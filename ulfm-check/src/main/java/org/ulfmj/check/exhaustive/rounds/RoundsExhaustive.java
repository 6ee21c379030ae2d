package org.ulfmj.check.exhaustive.rounds;

/** Visits every state of the small worlds of the rendezvous. */
public final class RoundsExhaustive {
    /** The most states of a world. The search of a larger world ends with an error. */
    private static final long MOST_STATES = 10_000_000;

    private RoundsExhaustive() {}

    /** Whether a world of the rendezvous is called so. */
    public static boolean isWorld(String name) {
        return name.startsWith("rounds-");
    }

    /**
     * Visits a world by its name, for calls into the world of a mutant.
     *
     * @return the number of visited states, a space, and the property that is broken in the last one; nothing after the
     *     space if none is
     */
    public static String hunt(String name) {
        RoundsSearch search = search(RoundsSmall.named(name));
        return search.states() + " " + search.broken();
    }

    /**
     * Visits a world by its name, for calls into the world of a mutant.
     *
     * @return the shortest schedule that breaks something; empty if none does
     */
    public static String story(String name) {
        return String.join(
                System.lineSeparator(), search(RoundsSmall.named(name)).story());
    }

    /** Visits worlds that are given as words, one each, and prints what is found. For work on the rules. */
    public static void main(String[] worlds) {
        for (String given : worlds) {
            long begin = System.nanoTime();
            RoundsSmall small = RoundsExhaustive.isWorld(given) ? RoundsSmall.named(given) : RoundsSmall.parse(given);
            RoundsSearch search = search(small);
            System.out.printf(
                    "%-36s %,10d states %,11d steps %,8d ends %,8d parts %6.1f s  %s%n",
                    given,
                    search.states(),
                    search.steps(),
                    search.ends(),
                    search.parts(),
                    (System.nanoTime() - begin) / 1e9,
                    search.broken().isEmpty() ? "complete, nothing broken" : "BROKEN");
            search.story().forEach(System.out::println);
        }
    }

    static RoundsSearch search(RoundsSmall world) {
        return new RoundsSearch(world, MOST_STATES).run();
    }
}
