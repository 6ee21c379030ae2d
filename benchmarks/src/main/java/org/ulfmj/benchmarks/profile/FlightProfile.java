package org.ulfmj.benchmarks.profile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A picture of where the time goes. The parts are stored as if they were the jobs of one place, so that a new profile
 * replaces the earlier one whole.
 *
 * @param name the name of the cell, or of another measurement, that the picture shows
 * @param title the name for a reader
 */
public record FlightProfile(int ranks, String name, String title) {
    public static final String GROUP = "profile";

    private static final String METHODS = ", by methods";
    private static final String THREADS = ", processor time by threads";

    /** All profiles that a run can take: those by methods, then those of processor time by threads. */
    public static final List<FlightProfile> ALL = List.of(
            new FlightProfile(2, "pp:8", "8-byte round trip" + METHODS),
            new FlightProfile(2, "rate:8", "8-byte messages, 64 in flight" + METHODS),
            new FlightProfile(2, "ppa:4m", "round trip of 4 MiB in arrays" + METHODS),
            new FlightProfile(2, "allreduce:4m", "allreduce of 4 MiB, two ranks" + METHODS),
            new FlightProfile(4, "allreduce:4m", "allreduce of 4 MiB, four ranks" + METHODS),
            new FlightProfile(8, "allreduce:4m", "allreduce of 4 MiB, eight ranks" + METHODS),
            new FlightProfile(8, "alltoall:64k", "alltoall of 64 KiB, eight ranks" + METHODS),
            new FlightProfile(2, "agree", "agreement of two ranks" + METHODS),
            new FlightProfile(8, "shrink", "shrinks after a death, eight ranks" + METHODS),
            new FlightProfile(4, "Rabit.allreduce:4k", "Rabit.allreduce of 4 KiB, four ranks" + METHODS),
            new FlightProfile(4, "revoke", "a revocation that finds four ranks asleep" + THREADS),
            new FlightProfile(8, "revoke", "a revocation that finds eight ranks asleep" + THREADS),
            new FlightProfile(8, "death", "a death and the first shrink, eight ranks" + THREADS),
            new FlightProfile(16, "death", "a death and the first shrink, sixteen ranks" + THREADS),
            new FlightProfile(8, "start", "Hello with eight ranks" + THREADS),
            new FlightProfile(16, "start", "Hello with sixteen ranks" + THREADS));

    /** The picture with this name and number of ranks, if there is one. */
    public static Optional<FlightProfile> of(String name, int ranks) {
        return ALL.stream()
                .filter(profile -> profile.name.equals(name) && profile.ranks == ranks)
                .findFirst();
    }

    public String place() {
        return GROUP + "/" + ranks + "/" + name;
    }

    /** The name of the picture's file, without its ending. */
    public String file() {
        return "performance-" + GROUP + "-" + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + "-np"
                + ranks;
    }
}
