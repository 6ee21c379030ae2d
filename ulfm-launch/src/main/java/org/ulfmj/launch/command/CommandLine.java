package org.ulfmj.launch.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.command.Given;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.Options;

/**
 * Reads the command line of {@code mpiexec} and turns it into a {@link LaunchRequest}, or says what is wrong with it.
 */
public final class CommandLine {
    private static final int MOST_RESTARTS = 1_000_000;
    private static final List<String> RECORDING = List.of("-XX:StartFlightRecording");
    private static final String TIMEOUT_VARIABLE = "MPIEXEC_TIMEOUT";

    private final Installation installation;
    private final Map<String, String> environment;
    private Given given;

    /** How many processes the hosts of the command line have room for. */
    private int hostSlots;

    /** @param environment of the launcher */
    public CommandLine(Installation installation, Map<String, String> environment) {
        this.installation = installation;
        this.environment = environment;
    }

    /**
     * The request for a job; null if the user only asked for help or the version, which is then in {@link #text}.
     *
     * @throws UsageException if the request cannot be met
     */
    public LaunchRequest parse(String... arguments) {
        given = PlainArguments.read(arguments);
        if (given == null) {
            given = AnyArguments.read(arguments);
        }
        if (given.has(OptionModel.HELP) || given.has(OptionModel.VERSION)) {
            return null;
        }
        try {
            return request();
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    /** Returns the help text or the version text, for a command line that asked for one of the two. */
    public String text() {
        if (given.has(OptionModel.VERSION)) {
            return "mpiexec (ULFM for Java) " + installation.version() + ", Java " + Runtime.version();
        }
        return AnyArguments.help();
    }

    private LaunchRequest request() {
        Path workingDirectory = workingDirectory();
        hostSlots = 0;
        Map<String, String> added = addedEnvironment();
        Map<String, String> ofProcesses = new HashMap<>(environment);
        ofProcesses.putAll(added);
        if (given.has(OptionModel.HOST) || given.has(OptionModel.HOST_FILE)) {
            checkHosts(new Hosts(workingDirectory));
        }
        int size = size();
        List<String> words = given.command();
        if (words.contains(":")) {
            throw new UsageException(
                    "':' stands between the programs of a job for other launchers; here all processes start"
                            + " the same one, which may be a script that chooses by $ULFM_RANK");
        }
        if (words.isEmpty()) {
            throw new UsageException("nothing to start; write mpiexec -n " + size + " java -cp CLASSES Main");
        }
        CommandResolver resolver = new CommandResolver(installation, workingDirectory, ofProcesses);
        McaParameters mca = mcaParameters();
        StartCommand command = resolver.resolve(words);
        boolean isRecorded = new OwnOptions(command, environment).isAny(RECORDING);
        Options options = options(mca, resolver.systemProperties(words), isRecorded);
        Map<String, String> all = new TreeMap<>(command.environment());
        all.putAll(added);
        List<String> warnings = new ArrayList<>(mca.warnings());
        warnings.addAll(options.warnings());
        int maxRestarts = count(OptionModel.MAX_RESTARTS, MOST_RESTARTS);
        int spares = count(OptionModel.SPARES, RunSpec.MAX_SIZE);
        if (maxRestarts + spares > 0 && !options.isFaultTolerant()) {
            throw new UsageException((maxRestarts > 0 ? OptionModel.MAX_RESTARTS : OptionModel.SPARES)
                    + ": a job without fault tolerance (--with-ft none) ends at the first failure; use --with-ft ulfm");
        }
        return new LaunchRequest(
                size,
                maxRestarts,
                spares,
                new StartCommand(command.words(), all, command.isJava()),
                options,
                InjectPlan.parse(given.texts(OptionModel.INJECT), size),
                seed(),
                timeoutNs(),
                streams(size),
                bindTo(),
                workingDirectory,
                given.text(OptionModel.REPORT_PID),
                given.has(OptionModel.PRINT_EXIT_CODES),
                warnings);
    }

    private int size() {
        String option = given.has(OptionModel.COUNT) ? OptionModel.COUNT : OptionModel.COUNT_PER_HOST;
        String text = given.text(option);
        if (text == null) {
            int slots = hostSlots;
            if (slots > 0 && slots <= RunSpec.MAX_SIZE) {
                return slots;
            }
            String tasks = environment.get("SLURM_NTASKS");
            throw new UsageException("how many processes? Write mpiexec -n "
                    + (tasks == null ? "N ..." : tasks + " ... for the " + tasks + " tasks of this Slurm job"));
        }
        return number(option, text, " processes", 1, RunSpec.MAX_SIZE);
    }

    private static int number(String option, String text, String what, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            requireDigits(option, text);
        }
        throw new UsageException(option + ": " + text + what + "; allowed: " + least + " to " + most);
    }

    /**
     * Throws unless a text is a number of digits, perhaps with a sign. A number that is too large to be read passes
     * here, and gets another message later.
     */
    private static void requireDigits(String option, String text) {
        String digits = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new UsageException(option + ": '" + text + "' is no whole number");
        }
    }

    /**
     * Checks the hosts, and counts their slots. Without another count, the job has a process per slot, as other
     * launchers have it.
     */
    private void checkHosts(Hosts hosts) {
        for (String names : given.texts(OptionModel.HOST)) {
            hostSlots += hosts.check(OptionModel.HOST, names);
        }
        for (String file : given.texts(OptionModel.HOST_FILE)) {
            hostSlots += hosts.checkFile(OptionModel.HOST_FILE, file);
        }
    }

    /** The value of an option that is a count; 0 if the option is not given. */
    private int count(String option, int most) {
        String text = given.text(option);
        return text == null ? 0 : number(option, text, " is not allowed", 0, most);
    }

    private Path workingDirectory() {
        String text = given.text(OptionModel.WORKING_DIRECTORY);
        Path directory = Path.of(text == null ? "" : text).toAbsolutePath().normalize();
        if (!Files.isDirectory(directory)) {
            throw new UsageException("--wdir: there is no directory " + directory);
        }
        return directory;
    }

    private Map<String, String> addedEnvironment() {
        Map<String, String> added = new TreeMap<>();
        for (String text : given.texts(OptionModel.ENVIRONMENT)) {
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            String value = equals < 0 ? environment.get(text) : text.substring(equals + 1);
            if (name.isEmpty() || value == null) {
                throw new UsageException("-x " + text + ": there is no such variable; write -x NAME=VALUE to set one");
            }
            added.put(name, value);
        }
        List<String> pairs = given.texts(OptionModel.ENVIRONMENT_PAIR);
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            added.put(pairs.get(i), pairs.get(i + 1));
        }
        return added;
    }

    /**
     * The options of the job. The source nearest to the program wins: {@code -D} of {@code java}, then options of
     * mpiexec, then the environment.
     */
    private Options options(McaParameters mca, Map<String, String> systemProperties, boolean isRecorded) {
        Map<String, String> settings = new TreeMap<>();
        if (isRecorded) {
            settings.put("ulfm.jfr", "on");
        }
        settings.putAll(Options.fromEnvironment(environment));
        settings.putAll(mca.settings());
        putIfGiven(settings, "ulfm.initial.errhandler", given.text(OptionModel.ERRHANDLER));
        putIfGiven(settings, "ulfm.orphans", given.text(OptionModel.ORPHANS));
        putFaultTolerance(settings);
        putIfGiven(settings, "ulfm.verbose", given.has(OptionModel.VERBOSE) ? "1" : null);
        for (String text : given.texts(OptionModel.SET)) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--set " + text + ": write --set NAME=VALUE");
            }
            settings.put(text.substring(0, equals).trim(), text.substring(equals + 1));
        }
        for (Map.Entry<String, String> property : systemProperties.entrySet()) {
            if (property.getKey().startsWith("ulfm.")) {
                settings.put(property.getKey(), property.getValue());
            }
        }
        return Options.of(settings);
    }

    private void putFaultTolerance(Map<String, String> settings) {
        if (given.has(OptionModel.ENABLE_RECOVERY)) {
            settings.put("ulfm.ft", "ulfm");
        }
        if (given.has(OptionModel.DISABLE_RECOVERY)) {
            settings.put("ulfm.ft", "none");
        }
        String asked = given.text(OptionModel.FAULT_TOLERANCE);
        if (asked != null && !List.of("ulfm", "mpi", "none").contains(asked)) {
            throw new UsageException("--with-ft: '" + asked + "' is not allowed; allowed: ulfm | none");
        }
        putIfGiven(settings, "ulfm.ft", "mpi".equals(asked) ? "ulfm" : asked);
    }

    private McaParameters mcaParameters() {
        McaParameters mca = new McaParameters();
        List<String> pairs = given.texts(OptionModel.MCA);
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            mca.take(pairs.get(i), pairs.get(i + 1));
        }
        for (String option : List.of(OptionModel.MAP_BY, OptionModel.RANK_BY)) {
            String how = given.text(option);
            if (how != null) {
                mca.ignore(option + " " + how);
            }
        }
        for (String option : List.of(OptionModel.QUIET, OptionModel.DISPLAY_MAP, OptionModel.REPORT_BINDINGS)) {
            if (given.has(option)) {
                mca.ignore(option);
            }
        }
        for (String file : given.texts(OptionModel.PARAMETER_FILE)) {
            mca.ignore(OptionModel.PARAMETER_FILE + " " + file);
        }
        return mca;
    }

    /** What becomes of the streams; null if the user has not said anything about them. */
    private StreamOptions streams(int size) {
        for (String option : OptionModel.STREAMS) {
            if (given.has(option)) {
                return StreamOptions.of(given, size, Path.of("").toAbsolutePath());
            }
        }
        return null;
    }

    private BindTo bindTo() {
        String text = given.text(OptionModel.BIND_TO);
        if (text != null && !text.equals("core") && !text.equals("none")) {
            throw new UsageException(
                    "--bind-to: '" + text + "' is not allowed; allowed: core | none (write --bind-to core"
                            + " to give each rank a core of its own, or start mpiexec by taskset)");
        }
        return text == null ? BindTo.UNSAID : text.equals("core") ? BindTo.CORE : BindTo.NONE;
    }

    private Long seed() {
        String text = given.text(OptionModel.INJECT_SEED);
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new UsageException("--inject-seed: '" + text + "' is no whole number");
        }
    }

    /** The value of {@code --timeout}. A plain number means seconds, as in other launchers. */
    private long timeoutNs() {
        String asked = given.text(OptionModel.TIMEOUT);
        String name = asked == null ? TIMEOUT_VARIABLE : OptionModel.TIMEOUT;
        String text = asked == null ? environment.get(TIMEOUT_VARIABLE) : asked;
        if (text == null) {
            return 0;
        }
        boolean isPlain = text.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.');
        long timeoutNs = Durations.parseNs(name, isPlain ? text + "s" : text);
        if (timeoutNs == 0) {
            throw new UsageException(name + ": '" + text + "' must be above 0");
        }
        return timeoutNs;
    }

    private static void putIfGiven(Map<String, String> settings, String name, String value) {
        if (value != null) {
            settings.put(name, value);
        }
    }
}
