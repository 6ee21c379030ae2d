package org.ulfmj.testkit.junit;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * The settings of a test: those of its annotation, replaced by the properties of this run where they are set.
 *
 * @param where class and method
 * @param mayAbortWith ascending
 */
record SimulationSettings(
        String where,
        int ranks,
        long firstSeed,
        int seeds,
        String faults,
        int restarts,
        int[] mayAbortWith,
        int minimiseSeconds,
        boolean isOneSeed) {
    private static final int MOST_RESTARTS = 1000;
    private static final int MOST_RANKS = 64;
    private static final int MOST_MINIMISE_SECONDS = 3600;

    /**
     * @param property gives the value of a property of this run, if it is set
     * @throws ExtensionConfigurationException naming attribute or property, value, and what is allowed
     */
    static SimulationSettings of(String where, SimulatedMpi annotation, Function<String, Optional<String>> property) {
        Reader reader = new Reader(where, property);
        Optional<String> oneSeed = property.apply("sim.seed");
        int ranks = (int)
                reader.number("ranks", annotation.ranks(), "sim.ranks", n -> n >= 1 && n <= MOST_RANKS, "1 to 64");
        long seeds = reader.number(
                "seeds", annotation.seeds(), "sim.seeds", n -> n >= 1 && n <= Integer.MAX_VALUE, "1 to 2147483647");
        long firstSeed =
                reader.number("firstSeed", annotation.firstSeed(), "sim.seed", n -> n >= 0, "0 or a greater number");
        long minimise = reader.number(
                "minimiseSeconds",
                annotation.minimiseSeconds(),
                null,
                n -> n >= 0 && n <= MOST_MINIMISE_SECONDS,
                "0 to 3600");
        long restarts = reader.number(
                "restarts", annotation.restarts(), "sim.restarts", n -> n >= 0 && n <= MOST_RESTARTS, "0 to 1000");
        int[] codes = annotation.mayAbortWith().clone();
        Arrays.sort(codes);
        return new SimulationSettings(
                where,
                ranks,
                firstSeed,
                oneSeed.isPresent() ? 1 : (int) seeds,
                property.apply("sim.faults").orElse(annotation.faults()),
                (int) restarts,
                codes,
                (int) minimise,
                oneSeed.isPresent());
    }

    /** Makes the exception for a plan of faults that is refused, with the reason that the reader of the plan gives. */
    ExtensionConfigurationException refused(IllegalArgumentException why) {
        return new ExtensionConfigurationException(
                where + ": @SimulatedMpi faults = \"" + faults + "\": " + why.getMessage(), why);
    }

    boolean mayAbortWith(int code) {
        return Arrays.binarySearch(mayAbortWith, code) >= 0;
    }

    private record Reader(String where, Function<String, Optional<String>> property) {
        /** Returns the property's value if it is set, else the attribute's. Throws if the value is not allowed. */
        long number(String attribute, long value, String name, LongPredicate allowed, String range) {
            Optional<String> text = name == null ? Optional.empty() : property.apply(name);
            String what = text.isPresent() ? "property " + name : "@SimulatedMpi " + attribute;
            String shown = text.orElse(Long.toString(value));
            try {
                long number = Long.parseLong(shown.trim());
                if (allowed.test(number)) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw refused(what, shown, range);
            }
            throw refused(what, shown, range);
        }

        private ExtensionConfigurationException refused(String what, String shown, String range) {
            return new ExtensionConfigurationException(
                    where + ": " + what + " = " + shown + " is not allowed; allowed: " + range);
        }
    }
}
