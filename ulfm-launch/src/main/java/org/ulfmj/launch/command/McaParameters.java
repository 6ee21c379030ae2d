package org.ulfmj.launch.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ulfmj.command.UsageException;

/**
 * Open MPI's parameters, from variables {@code OMPI_MCA_NAME}, files ({@code -am FILE}) and options ({@code --mca NAME
 * VALUE}). Parameters about fault tolerance are translated to our options, and those about hosts and agents are used.
 * Other parameters have no meaning for this launcher. They are accepted with one warning, so that scripts need not be
 * changed.
 */
final class McaParameters {
    private static final String VARIABLE = "OMPI_MCA_";
    private static final Set<String> TRUE = Set.of("1", "true", "t", "yes", "y", "on", "enabled");
    /** Names of parameter files of Open MPI that turn fault tolerance on; they are recognized by name and not read. */
    private static final List<String> FAULT_TOLERANT = List.of("ft-enable-mpi", "ft-mpi");

    private static final String HOST_FILE = "orte_default_hostfile";
    private static final String AGENT = "plm_rsh_agent";
    private static final String AGENT_ARGUMENTS = "plm_rsh_args";

    private final Map<String, String> settings = new TreeMap<>();

    /** The parameters about hosts and agents, each under one of its names in Open MPI. */
    private final Map<String, String> launching = new TreeMap<>();

    private final Set<String> ignored = new LinkedHashSet<>();
    private final List<String> warnings = new ArrayList<>();

    void take(String name, String value) {
        switch (name) {
            case "mpi_ft_enable", "orte_enable_recovery", "prte_enable_recovery" ->
                settings.put("ulfm.ft", isTrue(value) ? "ulfm" : "none");
            case "mpi_ft_detector" -> settings.put("ulfm.fd", isTrue(value) ? "on" : "off");
            case "mpi_ft_detector_timeout" -> settings.put("ulfm.fd.timeout", value.trim() + "s");
            case "mpi_ft_detector_period" -> settings.put("ulfm.fd.period", value.trim() + "s");
            case "mpi_ft_verbose" -> settings.put("ulfm.ft.verbose", verbosity(value.trim()));
            case "mpi_ft_detector_thread" -> {
                if (!isTrue(value)) {
                    warnings.add("--mca " + name + " " + value
                            + ": the detector has no thread to be switched off; --set ulfm.fd=off turns it off");
                }
            }
            case HOST_FILE, "prte_default_hostfile" -> launching.put(HOST_FILE, value.trim());
            case AGENT, "plm_ssh_agent", "orte_rsh_agent" -> launching.put(AGENT, value.trim());
            case AGENT_ARGUMENTS, "plm_ssh_args" -> launching.put(AGENT_ARGUMENTS, value.trim());
            case "orte_keep_fqdn_hostnames", "prte_keep_fqdn_hostnames" -> {
                // Nothing to do: here, names of hosts are always kept as they are written.
            }
            default -> ignored.add(name);
        }
    }

    /** Takes each variable of an environment whose name begins with {@code OMPI_MCA_} as a parameter. */
    void takeVariables(Map<String, String> environment) {
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            if (variable.getKey().startsWith(VARIABLE)) {
                take(variable.getKey().substring(VARIABLE.length()), variable.getValue());
            }
        }
    }

    /**
     * Takes the parameters in a file with lines {@code NAME = VALUE}. A file that comes with Open MPI and turns fault
     * tolerance on is recognized by its name and not read.
     *
     * @param directory to which the name of the file is relative
     */
    void takeFile(String name, Path directory) {
        if (FAULT_TOLERANT.contains(name)) {
            settings.put("ulfm.ft", "ulfm");
            return;
        }
        Path file = directory.resolve(name);
        try {
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                int comment = line.indexOf('#');
                String text = (comment < 0 ? line : line.substring(0, comment)).trim();
                int equals = text.indexOf('=');
                if (equals > 0) {
                    take(
                            text.substring(0, equals).trim(),
                            text.substring(equals + 1).trim());
                } else if (!text.isEmpty()) {
                    throw new UsageException(OptionModel.PARAMETER_FILE + " " + file + ": line " + number + ", '" + text
                            + "', is not NAME = VALUE");
                }
            }
        } catch (IOException e) {
            throw new UsageException(OptionModel.PARAMETER_FILE + ": cannot read " + file + "; allowed: a file of"
                    + " NAME = VALUE, " + String.join(", ", FAULT_TOLERANT));
        }
    }

    void ignore(String what) {
        ignored.add(what);
    }

    /** The file of hosts that a parameter names, for jobs in which no option names hosts; null for none. */
    String hostFile() {
        return launching.get(HOST_FILE);
    }

    /**
     * The command, such as ssh, that runs another command on a host; null for none. Of several commands with colons
     * between them, the first one.
     */
    String agent() {
        String agents = launching.get(AGENT);
        return agents == null ? null : agents.split("\\s:\\s", 2)[0];
    }

    /** The arguments that a parameter gives for {@code ssh}, or for the command in its place; null for none. */
    String agentArguments() {
        return launching.get(AGENT_ARGUMENTS);
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

    /** Translates Open MPI's level of verbosity: any other than 0 and 1 becomes our 2, which is the highest here. */
    private static String verbosity(String level) {
        return level.equals("0") || level.equals("1") ? level : "2";
    }

    private static boolean isTrue(String value) {
        return TRUE.contains(value.trim().toLowerCase(Locale.ROOT));
    }
}
