package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.NearestName;

/** Visits every state of small worlds, in each up to the first broken property. */
public final class Exhaustive {
    /** The limit of states. The search of a world with more ends with an error. */
    private static final int MOST_STATES = 200_000_000;

    private Exhaustive() {}

    /**
     * Visits the states of a world that is given by name, up to the first broken property. Called also with the classes
     * of a mutant.
     *
     * @return the number of states found, a space, and the broken property at which the search ended; nothing after the
     *     space if none is broken
     */
    public static String hunt(String name) {
        Explorer.Result result = explorer(named(name), true).run();
        return result.states() + " " + (result.isClean() ? "" : result.finding().broken());
    }

    /**
     * Returns a shortest schedule to the broken property at which the search of a world ends, with a line for that
     * property; only that line if the property is that every schedule ends; empty if none is broken. Called also with
     * the classes of a mutant.
     */
    public static String story(String name) {
        Explorer explorer = explorer(named(name), true);
        Explorer.Result result = explorer.run();
        return result.isClean() ? "" : String.join(System.lineSeparator(), explorer.story(result.finding()));
    }

    static Explorer explorer(World world, boolean reduces) {
        return new Explorer(world, reduces, MOST_STATES);
    }

    static List<World> all() {
        List<World> all = new ArrayList<>(SmallWorlds.SMALL);
        all.addAll(SmallWorlds.LARGE);
        return all;
    }

    static World named(String name) {
        return all().stream()
                .filter(world -> world.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private static IllegalArgumentException unknown(String name) {
        List<String> known = new ArrayList<>(List.of("small", "large", "all"));
        all().forEach(world -> known.add(world.name()));
        return new IllegalArgumentException("--world " + name + ": no such world; the nearest is "
                + NearestName.to(name, known) + ", all are " + String.join(" ", known));
    }

    /**
     * Returns the worlds that {@code --world} names: one, several with commas between them, all small ones, all large
     * ones, or all.
     */
    static List<World> chosen(String names) {
        switch (names) {
            case "small":
                return SmallWorlds.SMALL;
            case "large":
                return SmallWorlds.LARGE;
            case "all":
                return all();
            default:
                List<World> chosen = new ArrayList<>();
                for (String name : names.split(",")) {
                    chosen.add(named(name));
                }
                return chosen;
        }
    }
}
