package org.ulfmj.launch.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.hosts.AgentStart;
import org.ulfmj.launch.hosts.JobHostNames;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.program.CommandResolver;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.launch.program.OwnOptions;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.host.SystemReason;

/**
 * Reads the command line of {@code mpiexec} and turns it into a {@link LaunchRequest}, or says what is wrong with it.
 */
public final class CommandLine {
    private static final int MOST_RESTARTS = 1_000_000;
    private static final List<String> RECORDING = List.of("-XX:StartFlightRecording");
    private static final String CPU_LIST = "cpu-list:";
    private static final String TIMEOUT_VARIABLE = "MPIEXEC_TIMEOUT";

    private final Installation installation;
    private final Map<String, String> environment;
    private Given given;

    /** The {@code ulfm.*} options that the command line gives as {@code -D} properties behind {@code java}, by name. */
    private final Map<String, String> ofJava = new TreeMap<>();

    /** Whether a program makes a flight recording. */
    private boolean isRecorded;

    /** @param environment of the launcher */
    public CommandLine(Installation installation, Map<String, String> environment) {
        this.installation = installation;
        this.environment = environment;
    }

    /**
     * Parses the command line. Returns the request for a job; null if the user asked for help or the version, which
     * {@link #text} then returns.
     *
     * @throws UsageException if the command line cannot be understood, or the request cannot be met
     */
    public LaunchRequest parse(String... arguments) {
        if (arguments.length == 0) {
            throw new UsageException(
                    "nothing to start; write mpiexec -n 2 java -cp CLASSES Main (mpiexec --help lists all options)");
        }
        given = read(arguments);
        if (given.has(OptionModel.HELP) || given.has(OptionModel.VERSION)) {
            return null;
        }
        try {
            return request();
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    static Given read(String... arguments) {
        Given plain = PlainArguments.read(arguments);
        return plain == null ? AnyArguments.read(arguments) : plain;
    }

    /** Returns the help text or the version text, for a command line that asked for one of the two. */
    public String text() {
        if (given.has(OptionModel.VERSION)) {
            return "mpiexec (ULFM for Java) " + installation.version() + ", Java " + Runtime.version();
        }
        return AnyArguments.help();
    }

    private LaunchRequest request() {
        if (given.has(OptionModel.RDZV_FORGET)) {
            throw new UsageException(OptionModel.RDZV_FORGET + " stands alone: mpiexec " + OptionModel.RDZV_FORGET
                    + " URL, with the URL that the job had in --rdzv");
        }
        if (given.has(OptionModel.JOIN)) {
            Elasticity.requireNothingOfTheJob(given);
        }
        boolean isOne =
                !given.has(OptionModel.PROGRAMS_FILE) && !given.command().contains(":");
        Path launchers = Path.of("").toAbsolutePath();
        List<Given> blocks = isOne ? List.of(given) : ProgramBlocks.of(given, launchers);
        List<StartCommand> commands = new ArrayList<>();
        McaParameters mca = mcaParameters();
        HostOptions hosts = hostOptions(blocks, mca);
        List<Integer> counts = new ArrayList<>();
        int size = 0;
        for (Given block : blocks) {
            Path directory = workingDirectory(block);
            Map<String, String> added = addedEnvironment(block);
            int count = count(block, hosts, counts.size());
            counts.add(count);
            size += count;
            if (size > RunSpec.MAX_SIZE) {
                throw new UsageException(
                        "-n: " + size + " processes of all programs; allowed: 1 to " + RunSpec.MAX_SIZE);
            }
            StartCommand command = command(block, count, directory, added);
            for (int i = 0; i < (isOne ? 1 : count); i++) {
                commands.add(command);
            }
        }
        List<String> renamed = new ArrayList<>();
        Options options = options(mca, renamed);
        List<String> warnings = new ArrayList<>(mca.warnings());
        warnings.addAll(renamed);
        String binding = given.text(OptionModel.BIND_TO);
        int maxRestarts = count(OptionModel.MAX_RESTARTS, MOST_RESTARTS);
        int spares = count(OptionModel.SPARES, RunSpec.MAX_SIZE);
        if (maxRestarts + spares > 0 && !options.isFaultTolerant()) {
            throw new UsageException((maxRestarts > 0 ? OptionModel.MAX_RESTARTS : OptionModel.SPARES)
                    + ": a job without fault tolerance (--with-ft none) ends at the first failure; use --with-ft ulfm");
        }
        if (spares > 0 && blocks.size() > 1) {
            throw new UsageException(
                    OptionModel.SPARES + ": a spare must know its program before its rank, and this job" + " has "
                            + blocks.size() + " programs; use " + OptionModel.MAX_RESTARTS);
        }
        JobHosts placed = hosts == null ? null : hosts.place(counts, maxRestarts + spares > 0);
        String rdzv = given.has(OptionModel.RDZV) ? Coordination.url(given, placed == null) : null;
        ElasticJob elastic = elastic(blocks.size(), placed == null, maxRestarts + spares > 0, options, mca);
        warnings.addAll(options.warnings(placed == null ? 1 : placed.hostsWithLauncher()));
        if (given.has(OptionModel.HOST_DISCOVERY)) {
            warnings.addAll(Elasticity.warnings(options));
        }
        return new LaunchRequest(
                size,
                maxRestarts,
                spares,
                commands,
                placed,
                options,
                plan(size, options, placed),
                seed(),
                timeoutNs(),
                streams(size),
                bindTo(binding),
                binding != null && binding.startsWith(CPU_LIST) ? binding.substring(CPU_LIST.length()) : null,
                given.text(OptionModel.REPORT_PID),
                given.has(OptionModel.PRINT_EXIT_CODES),
                extras(size),
                elastic,
                rdzv,
                warnings);
    }

    /**
     * The options of an elastic world, whose processes join: {@code -n MIN:MAX} or {@code --join}. Null for a job with
     * a fixed number of ranks.
     */
    private ElasticJob elastic(int blocks, boolean isHere, boolean restarts, Options options, McaParameters mca) {
        if (given.has(OptionModel.JOIN)) {
            return Elasticity.joining(given, blocks);
        }
        String count = given.text(OptionModel.COUNT);
        if (count == null || !CountRange.isRange(count)) {
            if (given.has(OptionModel.REPORT_URI)) {
                throw new UsageException(OptionModel.REPORT_URI
                        + ": other processes can join only a world that grows; write -n MIN:MAX");
            }
            if (given.has(OptionModel.HOST_DISCOVERY)) {
                throw new UsageException(OptionModel.HOST_DISCOVERY
                        + ": only a world that grows follows the slots that there are; write -n MIN:MAX");
            }
            return null;
        }
        CountRange range = CountRange.parse(OptionModel.COUNT, count);
        AgentStart ofDiscovery =
                given.has(OptionModel.HOST_DISCOVERY) ? AgentOptions.of(given, mca, environment, List.of()) : null;
        return Elasticity.of(given, range, isHere, restarts, options, ofDiscovery);
    }

    /**
     * The command of one program. Also notes the {@code ulfm.*} properties that stand behind {@code java} in its words
     * as options of the job.
     */
    private StartCommand command(Given block, int count, Path directory, Map<String, String> added) {
        List<String> words = block.command();
        if (words.isEmpty()) {
            throw new UsageException("nothing to start; write mpiexec -n " + count + " java -cp CLASSES Main");
        }
        Map<String, String> ofProcesses = new HashMap<>(environment);
        ofProcesses.putAll(added);
        ofProcesses.putIfAbsent("PATH", environment.get("PATH"));
        CommandResolver resolver = new CommandResolver(installation, directory, ofProcesses);
        StartCommand command = resolver.resolve(words);
        isRecorded |= new OwnOptions(command, environment).isAny(RECORDING);
        for (Map.Entry<String, String> property :
                resolver.systemProperties(words).entrySet()) {
            String name = property.getKey();
            String before = name.startsWith("ulfm.") ? ofJava.put(name, property.getValue()) : null;
            if (before != null && !before.equals(property.getValue())) {
                throw new UsageException("-D" + name + ": " + before + " for one program and " + property.getValue()
                        + " for another; options are those of the whole job");
            }
        }
        if (added.isEmpty()) {
            return command;
        }
        Map<String, String> all = new TreeMap<>(command.environment());
        all.putAll(added);
        return new StartCommand(command.words(), all, directory, command.isJava());
    }

    /**
     * The hosts that the command line, the environment or the batch system names; null if none of them says anything
     * about hosts, so that all processes run on this host, or if {@code --host-discovery} finds the hosts.
     */
    private HostOptions hostOptions(List<Given> blocks, McaParameters mca) {
        if (given.has(OptionModel.HOST_DISCOVERY)) {
            return null; // the command of the discovery says it
        }
        boolean isSaid = mca.hostFile() != null
                || environment.containsKey("HYDRA_HOST_FILE")
                || environment.containsKey("SLURM_JOB_ID")
                || given.has(OptionModel.LAUNCHER)
                || given.has(OptionModel.LAUNCHER_EXEC)
                || given.has(OptionModel.SSH_ARGS);
        for (Given block : blocks) {
            isSaid |= block.has(OptionModel.HOST) || block.has(OptionModel.HOST_FILE);
        }
        return isSaid ? new HostOptions(given, blocks, mca, environment) : null;
    }

    /**
     * The number of processes of a program: the value of {@code -n}; if that value is {@code MIN:MAX}, a number that
     * depends on slots or cores. Without {@code -n}, the number per host of {@code -N} times the number of hosts, 1 if
     * none is named. Without either, one process per slot of the program's hosts, and an error if the number of slots
     * is not known or too large.
     */
    private int count(Given block, HostOptions hosts, int index) {
        String option = block.has(OptionModel.COUNT) ? OptionModel.COUNT : OptionModel.COUNT_PER_HOST;
        String text = block.text(option);
        if (text == null) {
            int slots = hosts == null ? 0 : hosts.slots(index);
            if (slots > 0 && slots <= RunSpec.MAX_SIZE) {
                return slots;
            }
            String tasks = environment.get("SLURM_NTASKS");
            throw new UsageException("how many processes? Write mpiexec -n "
                    + (tasks == null ? "N ..." : tasks + " ... for the " + tasks + " tasks of this Slurm job"));
        }
        if (CountRange.isRange(text) && option.equals(OptionModel.COUNT)) {
            return count(block, CountRange.parse(option, text), hosts, index);
        }
        int number = number(option, text, " processes", 1, RunSpec.MAX_SIZE);
        if (hosts == null || block.has(OptionModel.COUNT)) {
            return number;
        }
        String all = Integer.toString(number * hosts.hosts(index));
        return number(option, all, " processes", 1, RunSpec.MAX_SIZE);
    }

    /**
     * How many processes {@code -n MIN:MAX} starts. Where nothing is said of hosts: as many as there are cores, but at
     * least MIN and at most MAX. Where hosts are named: as many as they have slots, at most MAX, and an error below
     * MIN; MAX if the number of slots is not known. With {@code --oversubscribe}: MAX. Where other processes can join
     * the job later ({@code --report-uri}, {@code --rdzv}), fewer slots than MIN are no error. With
     * {@code --host-discovery}: MAX, which is only an upper limit.
     */
    private int count(Given block, CountRange range, HostOptions hosts, int index) {
        if (block != given) {
            throw new UsageException(
                    "-n " + range.text() + ": a least and a greatest number are for a job of one program");
        }
        if (given.has(OptionModel.JOIN) || given.has(OptionModel.HOST_DISCOVERY)) {
            return range.max();
        }
        if (hosts == null && !given.has(OptionModel.OVERSUBSCRIBE)) {
            int cores = Runtime.getRuntime().availableProcessors();
            return Math.max(range.min(), Math.min(cores, range.max()));
        }
        boolean isLimited = hosts != null && !given.has(OptionModel.OVERSUBSCRIBE);
        int slots = isLimited ? hosts.slots(index) : 0;
        String perHost = block.text(OptionModel.COUNT_PER_HOST);
        if (isLimited && perHost != null) {
            int most = number(OptionModel.COUNT_PER_HOST, perHost, " processes", 1, RunSpec.MAX_SIZE);
            slots = hosts.slots(index, most);
        }
        boolean canBeJoined = given.has(OptionModel.REPORT_URI) || given.has(OptionModel.RDZV);
        return canBeJoined && slots > 0 ? Math.min(slots, range.max()) : range.countFor(OptionModel.COUNT, slots);
    }

    static int number(String option, String text, String what, int least, int most) {
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
     * Throws unless a text consists of digits, perhaps with a sign before them. A number that is too large for an int
     * passes this check; the caller then throws with the range that is allowed.
     */
    private static void requireDigits(String option, String text) {
        String digits = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new UsageException(option + ": '" + text + "' is no whole number");
        }
    }

    /** The value of an option that is a count; 0 if the option is not given. */
    private int count(String option, int most) {
        String text = given.text(option);
        return text == null ? 0 : number(option, text, " is not allowed", 0, most);
    }

    static Path workingDirectory(Given block) {
        String text = block.text(OptionModel.WORKING_DIRECTORY);
        Path directory = Path.of(text == null ? "" : text).toAbsolutePath().normalize();
        if (!Files.isDirectory(directory)) {
            throw new UsageException("--wdir: there is no directory " + directory);
        }
        return directory;
    }

    /** The variables that the command line gives to a program or, with the value null, takes from it. */
    private Map<String, String> addedEnvironment(Given block) {
        for (String option : OptionModel.ENVIRONMENTS) {
            if (given.has(option) || block.has(option)) {
                return AddedEnvironment.of(given, block, environment);
            }
        }
        return Map.of();
    }

    /** The options that few command lines give ({@link Extras}); null if this command line gives none of them. */
    private Extras extras(int size) {
        for (String option : OptionModel.EXTRAS) {
            if (given.has(option)) {
                return Extras.of(given, size);
            }
        }
        return null;
    }

    /**
     * The {@code ulfm.*} options of the job. Where several sources set an option, {@code -D} of {@code java} wins over
     * options of mpiexec, which win over the environment.
     *
     * @param renamed gets a sentence for each option that was given by NVFlare's name for it
     */
    private Options options(McaParameters mca, List<String> renamed) {
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
            String name = text.substring(0, equals).trim();
            String value = text.substring(equals + 1);
            if (name.startsWith("ulfm.") || !NvflareNames.put(settings, name, value, renamed)) {
                settings.put(name, value);
            }
        }
        settings.putAll(ofJava);
        if (given.has(OptionModel.RDZV)) {
            String count = given.text(OptionModel.COUNT);
            Coordination.imply(settings, count != null && CountRange.isRange(count));
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
        mca.takeVariables(environment);
        for (String file : given.texts(OptionModel.PARAMETER_FILE)) {
            mca.takeFile(file, Path.of("").toAbsolutePath());
        }
        List<String> pairs = given.texts(OptionModel.MCA);
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            mca.take(pairs.get(i), pairs.get(i + 1));
        }
        if (given.has(OptionModel.MAP_BY) && !Mapping.of(given).isKnown()) {
            mca.ignore(OptionModel.MAP_BY + " " + given.text(OptionModel.MAP_BY));
        }
        if (given.has(OptionModel.RANK_BY)) {
            mca.ignore(OptionModel.RANK_BY + " " + given.text(OptionModel.RANK_BY));
        }
        for (String option : List.of(OptionModel.QUIET, OptionModel.DISPLAY_MAP, OptionModel.REPORT_BINDINGS)) {
            if (given.has(option)) {
                mca.ignore(option);
            }
        }
        return mca;
    }

    /** The user's options about stdin, stdout and stderr of processes; null if the command line has none of them. */
    private StreamOptions streams(int size) {
        for (String option : OptionModel.STREAMS) {
            if (given.has(option)) {
                return StreamOptions.of(given, size, Path.of("").toAbsolutePath());
            }
        }
        return null;
    }

    private static BindTo bindTo(String text) {
        if (text == null) {
            return BindTo.UNSAID;
        }
        return switch (text) {
            case "core" -> BindTo.CORE;
            case "none" -> BindTo.NONE;
            case "hwthread" -> BindTo.HWTHREAD;
            case "socket", "package" -> BindTo.SOCKET;
            case "numa" -> BindTo.NUMA;
            case "l3cache", "l3" -> BindTo.L3CACHE;
            default -> {
                if (text.startsWith(CPU_LIST)) {
                    yield BindTo.CPU_LIST;
                }
                throw new UsageException(
                        "--bind-to: '" + text
                                + "' is not allowed; allowed: core | hwthread | socket | numa | l3cache | cpu-list:0,2-3 | none");
            }
        };
    }

    private InjectPlan plan(int size, Options options, JobHosts placed) {
        InjectPlan plan = InjectPlan.parse(
                given.texts(OptionModel.INJECT), size, placed == null ? null : new JobHostNames(placed));
        for (String file : given.texts(OptionModel.INJECT_FILE)) {
            try {
                plan = plan.with(file, Files.readAllLines(Path.of(file)));
            } catch (IOException e) {
                throw new UsageException("--inject-file: cannot read " + file + ": " + SystemReason.withoutPath(e));
            }
        }
        if (plan.hasLinkRules() && options.usesSharedMemory()) {
            throw new UsageException("--inject: faults of links act on TCP alone, and ranks of this host use shared"
                    + " memory; add --set ulfm.transport=tcp");
        }
        return plan;
    }

    private Long seed() {
        String text = given.text(OptionModel.INJECT_SEED);
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new UsageException("--inject-seed: '" + text + "' is no whole number");
        }
    }

    /**
     * The value of {@code --timeout}, or else of its environment variable, in nanoseconds; 0 if neither is given. A
     * number without a unit means seconds, as in other launchers.
     */
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
