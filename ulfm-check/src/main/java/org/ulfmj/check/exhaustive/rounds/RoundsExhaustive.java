package org.ulfmj.check.exhaustive.rounds;

/** Visits every state of the small worlds of the rendezvous. */
public final class RoundsExhaustive {
    /** The most states of a world. The search of a larger world ends with an error. */
    private static final long MOST_STATES = 10_000_000;

    private RoundsExhaustive() {}

    /** Returns whether a name begins as the names of all worlds of the rendezvous do. */
    public static boolean isWorld(String name) {
        return name.startsWith("rounds-");
    }

    /**
     * Visits the states of a world that is given by name, up to the first broken property. Called also with the classes
     * of a mutant.
     *
     * @return the number of states found, a space, and the broken property at which the search ended; nothing after the
     *     space if none is broken
     */
    public static String hunt(String name) {
        RoundsSearch search = search(RoundsSmall.named(name));
        return search.states() + " " + search.broken();
    }

    /**
     * Visits the states of a world that is given by name, up to the first broken property. Called also with the classes
     * of a mutant.
     *
     * @return the schedule to that property, as lines; empty if no property is broken
     */
    public static String story(String name) {
        return String.join(
                System.lineSeparator(), search(RoundsSmall.named(name)).story());
    }

    static RoundsSearch search(RoundsSmall world) {
        return new RoundsSearch(world, MOST_STATES).run();
    }
}
