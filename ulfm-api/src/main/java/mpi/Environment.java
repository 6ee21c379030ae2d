package mpi;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The entries of {@link MPI#INFO_ENV} for a rank: how it was started, as far as that is known (MPI 3.1 section 8.7).
 */
final class Environment {
    private Environment() {}

    static Map<String, String> of(Rank rank) {
        Map<String, String> entries = new LinkedHashMap<>();
        String started = System.getProperty("sun.java.command", "").strip();
        int space = started.indexOf(' ');
        add(entries, "command", space < 0 ? started : started.substring(0, space));
        add(entries, "argv", space < 0 ? "" : started.substring(space + 1).strip());
        add(entries, "maxprocs", Integer.toString(rank.world().communicator().size()));
        add(entries, "host", Host.name());
        add(entries, "arch", System.getProperty("os.arch", ""));
        add(entries, "wdir", System.getProperty("user.dir", ""));
        add(entries, "thread_level", "MPI_THREAD_MULTIPLE");
        return entries;
    }

    /** Adds an entry unless its value is empty. A value that is too long is cut. */
    private static void add(Map<String, String> entries, String key, String value) {
        if (!value.isEmpty()) {
            entries.put(key, value.substring(0, Math.min(value.length(), MPI.MAX_INFO_VAL)));
        }
    }
}
