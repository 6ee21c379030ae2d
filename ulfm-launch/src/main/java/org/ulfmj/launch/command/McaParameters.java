package org.ulfmj.launch.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Open MPI's parameters ({@code --mca NAME VALUE}) as far as they concern fault tolerance, translated to our options.
 * Other parameters have no meaning for this launcher. They are accepted with one warning, so that scripts need not be
 * changed.
 */
final class McaParameters {
    private static final Set<String> TRUE = Set.of("1", "true", "t", "yes", "y", "on", "enabled");

    private final Map<String, String> settings = new TreeMap<>();
    private final List<String> ignored = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    void take(String name, String value) {
        switch (name) {
            case "mpi_ft_enable" -> settings.put("ulfm.ft", isTrue(value) ? "ulfm" : "none");
            case "mpi_ft_detector_timeout" -> settings.put("ulfm.fd.timeout", value.trim() + "s");
            case "mpi_ft_detector_period" -> settings.put("ulfm.fd.period", value.trim() + "s");
            case "mpi_ft_verbose" -> settings.put("ulfm.verbose", value.trim().equals("0") ? "0" : "1");
            case "mpi_ft_detector", "mpi_ft_detector_thread" -> {
                if (!isTrue(value)) {
                    warnings.add("--mca " + name + " " + value + ": the detector and its thread cannot be switched off;"
                            + " --with-ft none turns detection off as a whole");
                }
            }
            default -> ignored.add(name);
        }
    }

    void ignore(String what) {
        ignored.add(what);
    }

    Map<String, String> settings() {
        return settings;
    }

    List<String> warnings() {
        List<String> all = new ArrayList<>(warnings);
        if (!ignored.isEmpty()) {
            all.add("without meaning here, ignored: " + String.join(", ", ignored));
        }
        return all;
    }

    private static boolean isTrue(String value) {
        return TRUE.contains(value.trim().toLowerCase(Locale.ROOT));
    }
}
