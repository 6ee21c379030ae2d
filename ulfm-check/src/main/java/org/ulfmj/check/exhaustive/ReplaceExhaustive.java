package org.ulfmj.check.exhaustive;

/** Visits every state of the small worlds of replace() and grow(). */
public final class ReplaceExhaustive {
    /** The most states of a world. The search of a larger world ends with an error. */
    private static final int MOST_STATES = 20_000_000;

    private ReplaceExhaustive() {}

    /**
     * Visits the states of a world that is given by name, up to the first broken property. Called also with the classes
     * of a mutant.
     *
     * @return the schedule to that property, as lines; empty if none is broken
     */
    public static String story(String name) {
        ReplaceSearch search = search(ReplaceSmall.named(name));
        search.run();
        return String.join(System.lineSeparator(), search.story());
    }

    static ReplaceSearch search(ReplaceSmall world) {
        return new ReplaceSearch(world, MOST_STATES);
    }
}
