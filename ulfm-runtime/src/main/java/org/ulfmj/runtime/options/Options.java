package org.ulfmj.runtime.options;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.protocol.NearestName;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.tcp.LinkFault;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * The options of one job, resolved and checked against each other. Each option can be set by a system property such as
 * {@code ulfm.fd.timeout}, by an environment variable such as {@code ULFM_FD_TIMEOUT}, or by {@code mpiexec --set
 * ulfm.fd.timeout=5s}; an option that is not set has its default, which may follow from those that are. Immutable.
 *
 * <p>All processes of the job must hold the same values, so the launcher resolves them once and hands the result to its
 * processes, and {@link #hash()} is compared when two processes meet.
 */
public final class Options {
    private static final long SECOND_NS = 1_000_000_000;
    private static final String PREFIX = "ulfm.";
    /** The part of the least credit per peer that is for short messages: it has room for 16 of them. */
    private static final long LEAST_SHARE_BYTES = 16 * 512;

    private static final String VARIABLE_PREFIX = "ULFM_";
    /** The variable in which users keep the installation directory of ULFM. It is no option. */
    private static final String HOME_VARIABLE = "ULFM_HOME";

    private final Map<String, Long> values = new TreeMap<>();
    private String shmDirectory = KnownOptions.SHM_DIR.defaultText();
    /** Empty for nowhere. */
    private String spillDirectory = "";
    /** Empty for the usual ones. */
    private String networkInterface = "";

    private final List<String> warnings;
    private final Timing timing;

    private Options(Map<String, String> settings) {
        Map<String, OptionDefinition> known = KnownOptions.byName();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            OptionDefinition definition = known.get(setting.getKey());
            if (definition == null) {
                throw unknown(setting.getKey(), known);
            }
            if (definition == KnownOptions.SHM_DIR) {
                shmDirectory = definition.parseText(setting.getValue());
            } else if (definition == KnownOptions.NET_INTERFACE) {
                networkInterface = definition.parseText(setting.getValue());
            } else if (definition == KnownOptions.RABIT_SPILL) {
                spillDirectory = definition.parseText(setting.getValue());
            } else {
                values.put(definition.name(), definition.parse(setting.getValue()));
            }
        }
        derive();
        Timeouts timeouts = new Timeouts(values, text(KnownOptions.FD).equals("on"), resumesLinks());
        timing = timeouts.timing();
        warnings = List.copyOf(timeouts.warnings());
        check();
    }

    /**
     * Makes the options from settings by name; an option without a setting has its default.
     *
     * @throws IllegalArgumentException for an unknown name (the message names the nearest known one), a value that is
     *     not allowed, or two values that do not fit each other (the message names both options and values)
     */
    public static Options of(Map<String, String> settings) {
        return new Options(settings);
    }

    /** Everything at its default. */
    public static Options defaults() {
        return new Options(Map.of());
    }

    /**
     * Returns the settings that an environment holds: its variables {@code ULFM_…} by the names of their options,
     * without those that tell a process its place ({@link LaunchEnvironment}).
     *
     * @throws IllegalArgumentException for a variable {@code ULFM_…} that is neither an option, nor such a place, nor
     *     {@code ULFM_HOME}, naming the nearest option
     */
    public static Map<String, String> fromEnvironment(Map<String, String> environment) {
        Map<String, OptionDefinition> known = KnownOptions.byName();
        Map<String, String> settings = new TreeMap<>();
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            String name = variable.getKey();
            if (!name.startsWith(VARIABLE_PREFIX)) {
                continue;
            }
            String option = name.toLowerCase(Locale.ROOT).replace('_', '.');
            if (known.containsKey(option)) {
                settings.put(option, variable.getValue());
            } else if (!LaunchEnvironment.isVariable(name) && !name.equals(HOME_VARIABLE)) {
                throw unknownVariable(name, known);
            }
        }
        return settings;
    }

    /**
     * Returns the settings among system properties: those whose names begin with {@code ulfm.}, known or not, so that
     * {@link #of} can refuse the unknown ones.
     */
    public static Map<String, String> fromProperties(Properties properties) {
        Map<String, String> settings = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                settings.put(name, properties.getProperty(name));
            }
        }
        return settings;
    }

    public boolean isFaultTolerant() {
        return value(KnownOptions.FT) == 0;
    }

    /**
     * Returns the error handler that communicators have at first: {@code mpi_errors_return} or one of the other names.
     */
    public String initialErrhandler() {
        return text(KnownOptions.INITIAL_ERRHANDLER);
    }

    /** The times of heartbeats, of suspicion and of links. */
    public Timing timing() {
        return timing;
    }

    /** The networks on which the launcher listens for other hosts; empty for all that other hosts may reach. */
    public String netInterface() {
        return networkInterface;
    }

    /**
     * The length of a lease between the coordinator and another host: after this time without an answer a process that
     * has a lease ends itself, or counts the coordinator as lost.
     */
    public long leaseNs() {
        return value(KnownOptions.RDZV_LEASE);
    }

    /**
     * V15: how long a process that an agent has started may run without an answer of the launcher; 0 for no limit. On
     * the launcher's own host a process's end is proven, and with {@code ulfm.ft.quorum=majority}, or where orphans
     * continue, processes may go on without the launcher.
     */
    public long processLeaseNs() {
        boolean mayGoOn = doOrphansContinue() || needsMajority();
        boolean isNeeded = isFaultTolerant() && !mayGoOn;
        // With ulfm.fd=off the detector's timeout is so long that the lease is mostly shorter: then no silence is
        // judged, and processes have no lease.
        return isNeeded && leaseNs() > timing.detectorTimeoutNs() ? leaseNs() : 0;
    }

    /**
     * How long a process that an agent has started may have no answer of the launcher before it takes the launcher for
     * lost, where it may go on as part of a majority; 0 where that does not matter.
     */
    public long launcherWatchNs() {
        boolean isNeeded = isFaultTolerant() && needsMajority();
        return isNeeded && leaseNs() > timing.detectorTimeoutNs() ? leaseNs() : 0;
    }

    /**
     * Whether processes go on after failures only if they are more than half of the processes that the last agreement
     * left.
     */
    public boolean needsMajority() {
        return text(KnownOptions.FT_QUORUM).equals("majority");
    }

    /**
     * How long after the end of its lease the agent ends a process that has not ended itself. The launcher, which
     * counts a lease somewhat longer, waits for this time too before it gives a host up.
     */
    public long beyondLeaseNs() {
        return Math.min(timing.detectorTimeoutNs() / 2, leaseNs() / 5);
    }

    /**
     * The time between two keep-alives of a lease: at most a third of the lease, and at most
     * {@link #keepAliveAnswerNs}, so that a process notices a silent line long before its host counts as lost.
     */
    public long keepAliveNs() {
        return Math.min(value(KnownOptions.RDZV_KEEPALIVE), Math.min(leaseNs() / 3, keepAliveAnswerNs()));
    }

    /** How long the answer to a keep-alive may take before another connection is tried. */
    public long keepAliveAnswerNs() {
        return timing.detectorTimeoutNs() / 4;
    }

    public long joinTimeoutNs() {
        return value(KnownOptions.RDZV_JOIN);
    }

    public long confirmTimeoutNs() {
        return value(KnownOptions.RDZV_CONFIRM);
    }

    /**
     * How long a rank for which another waits may make no call before it is taken for hung; {@link Long#MAX_VALUE} for
     * no limit.
     */
    public long silenceLimitNs() {
        return limitNs(KnownOptions.SILENCE_LIMIT);
    }

    /** The action on a rank that is taken for hung. */
    public SilenceAction silenceAction() {
        return SilenceAction.values()[(int) value(KnownOptions.SILENCE_ACTION)];
    }

    /**
     * The longest time in which no rank enters or leaves a call; after it the launcher ends the job.
     * {@link Long#MAX_VALUE} for no limit.
     */
    public long progressLimitNs() {
        return limitNs(KnownOptions.PROGRESS_LIMIT);
    }

    private long limitNs(OptionDefinition limit) {
        long limitNs = value(limit);
        return limitNs == OptionDefinition.OFF ? Long.MAX_VALUE : limitNs;
    }

    /**
     * Returns the settings for the runtime of one rank that follow from the options.
     *
     * @param ranksOnHost how many ranks of the job this host has, the same number at all of them
     * @param crowded whether more ranks run on this host than it has cores
     * @param triggers the points at which planned faults hit this rank
     */
    public RankSettings rankSettings(int ranksOnHost, boolean crowded, List<FaultTrigger> triggers) {
        return new RankSettings(
                timing,
                isFaultTolerant(),
                (int) value(KnownOptions.EAGER_LIMIT),
                creditPerPeer(ranksOnHost),
                text(KnownOptions.WAIT).equals("polite"),
                crowded,
                needsMajority(),
                usesSharedMemory() && text(KnownOptions.COLLECTIVES).equals("auto")
                        ? RankSettings.DEFAULT_HOST_COLLECTIVES_AFTER
                        : RankSettings.NEVER,
                new ReplaceTerms(
                        text(KnownOptions.REPLACE_POLICY).equals("strict"),
                        (int) value(KnownOptions.REPLACE_ROUNDS),
                        value(KnownOptions.REPLACE_TIMEOUT)),
                text(KnownOptions.JFR).equals("on"),
                (int) value(KnownOptions.FT_VERBOSE),
                triggers);
    }

    /**
     * Returns how much credit a rank has to send eagerly to one peer, in bytes: an equal share for each of the other
     * ranks of its host. A smaller share is raised to what one of the longest eager messages and some short ones need,
     * but not above the whole credit.
     */
    private long creditPerPeer(int ranksOnHost) {
        long creditBytes = value(KnownOptions.EAGER_CREDIT);
        long enoughBytes = 2 * value(KnownOptions.EAGER_LIMIT) + LEAST_SHARE_BYTES;
        return Math.max(creditBytes / Math.max(1, ranksOnHost - 1), Math.min(creditBytes, enoughBytes));
    }

    /** The directory in which the directory of a job's shared files is made. */
    public Path shmDirectory() {
        return Path.of(shmDirectory);
    }

    /** How many bytes of shared files a job may have on one host. */
    public long shmMaxBytes() {
        return value(KnownOptions.SHM_MAX);
    }

    /** Whether processes of one host may exchange messages through shared memory. */
    public boolean usesSharedMemory() {
        return !text(KnownOptions.TRANSPORT).equals("tcp");
    }

    /** Whether a TCP connection that is lost is opened anew. */
    public boolean resumesLinks() {
        return text(KnownOptions.LINK_RETRY).equals("on");
    }

    /**
     * How many bytes that were sent and not acknowledged all TCP links of a process may keep together, but for one
     * piece per peer.
     */
    public long linkBufferBytes() {
        return value(KnownOptions.LINK_BUFFER);
    }

    /** Which connections carry encrypted records. */
    public Protection protection() {
        return Protection.values()[(int) value(KnownOptions.NET_PROTECT)];
    }

    /** The faults that options inject into the TCP links of a process; null for none. */
    public List<LinkFault> linkFaults() {
        long resetNs = value(KnownOptions.INJECT_RESET);
        long blackholeNs = value(KnownOptions.INJECT_BLACKHOLE);
        if (resetNs == 0 && blackholeNs == 0) {
            return null;
        }
        List<LinkFault> faults = new ArrayList<>();
        long afterNs = value(KnownOptions.INJECT_AFTER);
        if (resetNs > 0) {
            faults.add(LinkFault.resets(afterNs, resetNs));
        }
        if (blackholeNs > 0) {
            faults.add(LinkFault.hole(afterNs, blackholeNs));
        }
        return faults;
    }

    /** Whether nothing but shared memory will do. */
    public boolean requiresSharedMemory() {
        return text(KnownOptions.TRANSPORT).equals("shm");
    }

    /**
     * Whether the processes of a job on several hosts go on when the launcher dies: a majority that may go on without
     * the launcher's host may go on without the launcher.
     */
    public boolean doOrphansContinueApart() {
        return doOrphansContinue() || isFaultTolerant() && needsMajority();
    }

    /** Whether {@code ulfm.orphans} lets the processes go on when the launcher dies. */
    public boolean doOrphansContinue() {
        return text(KnownOptions.ORPHANS).equals("continue");
    }

    /**
     * The time between SIGTERM and SIGKILL when a job is ended from outside. The shutdown hooks of a rank that has not
     * finalized get this time too, but at least a second.
     */
    public long graceNs() {
        return value(KnownOptions.GRACE);
    }

    /** The time between two runs of the command that discovers hosts. */
    public long discoveryIntervalNs() {
        return value(KnownOptions.DISCOVERY_INTERVAL);
    }

    /** How long the command that discovers hosts may run. */
    public long discoveryTimeoutNs() {
        return value(KnownOptions.DISCOVERY_TIMEOUT);
    }

    public boolean isVerbose() {
        return value(KnownOptions.VERBOSE) > 0;
    }

    /** Whether processes may start from an archive of this library's classes. */
    public boolean useClassArchive() {
        return text(KnownOptions.CLASS_ARCHIVE).equals("auto");
    }

    /** Recovery mode: whether operations before the first loaded checkpoint are recorded. */
    public boolean recordsBootstrap() {
        return text(KnownOptions.RABIT_BOOTSTRAP).equals("on");
    }

    /** Recovery mode: longest wait of a call. */
    public long rabitTimeoutNs() {
        return value(KnownOptions.RABIT_TIMEOUT);
    }

    /** Recovery mode: how many processes, at least, keep the result of an operation. */
    public int rabitReplicas() {
        return (int) value(KnownOptions.RABIT_REPLICAS);
    }

    /** Recovery mode: how many processes keep a copy of a local model, besides its owner. */
    public int rabitLocalReplicas() {
        return (int) value(KnownOptions.RABIT_LOCAL_REPLICAS);
    }

    /** Recovery mode: how many bytes of results a process may keep in memory. */
    public long rabitLogBytes() {
        return value(KnownOptions.RABIT_LOG_MAX);
    }

    /** Recovery mode: the directory into which checkpoints are written as well; empty for none. */
    public String rabitSpillDirectory() {
        return spillDirectory;
    }

    /**
     * Returns warnings about values that are allowed but will probably surprise; each is a sentence for the user, to be
     * shown once per job.
     */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns {@link #warnings()}, and what may surprise in a job on so many hosts. */
    public List<String> warnings(int hosts) {
        if (hosts < 2 || protection() != Protection.NONE) {
            return warnings;
        }
        List<String> all = new ArrayList<>(warnings);
        all.add("ulfm.net.protect=none on " + hosts + " hosts: whatever lies between the hosts can read and change the"
                + " messages of the job");
        return all;
    }

    /**
     * Returns every option that has a value, with the value as a user would write it, in the order of names; a
     * directory or networks that are empty are left out. {@link #of} makes options with equal values from the result.
     */
    public Map<String, String> toSettings() {
        Map<String, OptionDefinition> known = KnownOptions.byName();
        Map<String, String> settings = new TreeMap<>();
        for (Map.Entry<String, Long> value : values.entrySet()) {
            settings.put(value.getKey(), known.get(value.getKey()).text(value.getValue()));
        }
        settings.put(KnownOptions.SHM_DIR.name(), shmDirectory);
        if (!networkInterface.isEmpty()) {
            settings.put(KnownOptions.NET_INTERFACE.name(), networkInterface);
        }
        if (!spillDirectory.isEmpty()) {
            settings.put(KnownOptions.RABIT_SPILL.name(), spillDirectory);
        }
        return settings;
    }

    /**
     * Returns a hash that is equal at two processes exactly if all their options are equal (but for collisions of
     * 64-bit FNV-1a).
     */
    public long hash() {
        long hash = hash(hash(hash(0xcbf29ce484222325L, shmDirectory), spillDirectory), networkInterface);
        for (Map.Entry<String, Long> value : values.entrySet()) {
            hash = hash(hash, value.getKey());
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                hash = (hash ^ (value.getValue() >>> shift & 0xff)) * 0x100000001b3L;
            }
        }
        return hash;
    }

    private static long hash(long before, String text) {
        long hash = before;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    private void derive() {
        byDefault(KnownOptions.FT, 0);
        byDefault(KnownOptions.FT_QUORUM, 0);
        byDefault(KnownOptions.INITIAL_ERRHANDLER, isFaultTolerant() ? 0 : 1);
        byDefault(KnownOptions.FT_VERBOSE, 0);
        byDefault(KnownOptions.FD, 0);
        byDefault(KnownOptions.FD_ACCURACY, 1);
        byDefault(KnownOptions.LINK_RETRY, 0);
        byDefault(KnownOptions.LINK_BUFFER, TcpFabric.DEFAULT_LINK_BUFFER_BYTES);
        byDefault(KnownOptions.NET_PROTECT, 0);
        byDefault(KnownOptions.SILENCE_ACTION, 0);
        byDefault(KnownOptions.REPLACE_TIMEOUT, RankSettings.DEFAULT_REPLACE_TIMEOUT_NS);
        byDefault(KnownOptions.REPLACE_ROUNDS, RankSettings.DEFAULT_REPLACE_ROUNDS);
        byDefault(KnownOptions.REPLACE_POLICY, 0);
        byDefault(KnownOptions.TRANSPORT, 0);
        byDefault(KnownOptions.EAGER_LIMIT, RankSettings.DEFAULT_EAGER_LIMIT_BYTES);
        byDefault(KnownOptions.EAGER_CREDIT, RankSettings.DEFAULT_EAGER_CREDIT_BYTES);
        byDefault(KnownOptions.SHM_MAX, 1L << 30);
        byDefault(KnownOptions.COLLECTIVES, 0);
        byDefault(KnownOptions.WAIT, 0);
        byDefault(KnownOptions.ORPHANS, 0);
        byDefault(KnownOptions.GRACE, 10 * SECOND_NS);
        byDefault(KnownOptions.DISCOVERY_INTERVAL, 5 * SECOND_NS);
        byDefault(KnownOptions.DISCOVERY_TIMEOUT, 10 * SECOND_NS);
        byDefault(KnownOptions.CLASS_ARCHIVE, 0);
        byDefault(KnownOptions.RABIT_BOOTSTRAP, 0);
        byDefault(KnownOptions.RABIT_TIMEOUT, 1800 * SECOND_NS);
        byDefault(KnownOptions.RABIT_REPLICAS, 5);
        byDefault(KnownOptions.RABIT_LOCAL_REPLICAS, 2);
        byDefault(KnownOptions.RABIT_LOG_MAX, 1L << 30);
        byDefault(KnownOptions.JFR, 0);
        byDefault(KnownOptions.INJECT_AFTER, SECOND_NS);
        byDefault(KnownOptions.INJECT_RESET, 0);
        byDefault(KnownOptions.INJECT_BLACKHOLE, 0);
        byDefault(KnownOptions.VERBOSE, 0);
    }

    /** Checks what {@link Timeouts} does not check. */
    private void check() {
        if (value(KnownOptions.EAGER_CREDIT) < value(KnownOptions.EAGER_LIMIT)) {
            throw new IllegalArgumentException(
                    named(KnownOptions.EAGER_CREDIT) + " must not be below " + named(KnownOptions.EAGER_LIMIT));
        }
        requireTcp(KnownOptions.INJECT_RESET);
        requireTcp(KnownOptions.INJECT_BLACKHOLE);
        if (text(KnownOptions.SILENCE_ACTION).equals("fail") && !isFaultTolerant()) {
            throw new IllegalArgumentException(named(KnownOptions.SILENCE_ACTION) + " needs ulfm.ft=ulfm, not "
                    + text(KnownOptions.FT) + ": without fault tolerance no rank survives the failure of another");
        }
    }

    private void requireTcp(OptionDefinition fault) {
        if (value(fault) > 0 && usesSharedMemory()) {
            throw new IllegalArgumentException(named(fault)
                    + " is a fault of TCP links and needs ulfm.transport=tcp, not " + text(KnownOptions.TRANSPORT));
        }
    }

    private String named(OptionDefinition definition) {
        return definition.name() + " (" + text(definition) + ")";
    }

    private void byDefault(OptionDefinition definition, long value) {
        values.putIfAbsent(definition.name(), value);
    }

    private long value(OptionDefinition definition) {
        return values.get(definition.name());
    }

    private String text(OptionDefinition definition) {
        return definition.text(value(definition));
    }

    private static IllegalArgumentException unknown(String name, Map<String, OptionDefinition> known) {
        return new IllegalArgumentException("unknown option " + name + "; the nearest known one is "
                + NearestName.to(name, known.keySet()) + " (docs/use/options.md lists all)");
    }

    private static IllegalArgumentException unknownVariable(String name, Map<String, OptionDefinition> known) {
        List<String> variables = new ArrayList<>();
        for (OptionDefinition definition : known.values()) {
            variables.add(definition.variable());
        }
        return new IllegalArgumentException("environment variable " + name
                + " is no option; the nearest known one is " + NearestName.to(name, variables)
                + " (docs/use/options.md lists all)");
    }
}
