package org.ulfmj.runtime.options;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;

/**
 * The place of a process in its job, and where it meets the other processes: the launcher writes these into the
 * process's environment, and {@code MPI.Init} reads them.
 *
 * @param runId the id of this run of the job; every process started in it, and what those start, carries it in
 *     {@code ULFM_RUN_ID}
 * @param process slot (the rank in COMM_WORLD) and incarnation; null while the process has no slot
 * @param size how many processes the job has; in an elastic job the most members of its world
 * @param localRank index among the processes of its launcher on this host; for a spare that has got a slot that slot;
 *     of no meaning for a spare that has no slot yet
 * @param localSize how many processes of the job its launcher has on this host; in an elastic job it may be how many it
 *     has room for
 * @param host which of the job's hosts this is
 * @param rendezvous {@code host:port} at which the process meets the others
 * @param secretFile holds the job secret; readable by its owner only
 * @param configuration the job's {@link JobConfiguration}; its directory is the job's
 * @param maxRestarts how often at most the launcher starts each failed rank again, spares not counted
 * @param isBound whether each process of this host has processors for itself at its start, unless the user's list of
 *     processors names one twice
 * @param withoutSlot how a process was started that had no slot at its start, whether it has a slot by now or not; null
 *     for a process that was started with a slot
 */
public record LaunchEnvironment(
        String runId,
        ProcessId process,
        int size,
        int localRank,
        int localSize,
        HostPlace host,
        String rendezvous,
        Path secretFile,
        Path configuration,
        int maxRestarts,
        boolean isBound,
        WithoutSlot withoutSlot) {
    public static final String RUN_ID = "ULFM_RUN_ID";

    /**
     * The name of a job's directory is this prefix and then the part that differs between jobs and hosts
     * ({@link #directoryName}, which cuts the prefix off).
     */
    public static final String DIRECTORY_PREFIX = "ulfm-";

    private static final String RANK = "ULFM_RANK";
    private static final String SIZE = "ULFM_SIZE";
    private static final String LOCAL_RANK = "ULFM_LOCAL_RANK";
    private static final String LOCAL_SIZE = "ULFM_LOCAL_SIZE";
    private static final String NODE_RANK = "ULFM_NODE_RANK";
    private static final String NODE_COUNT = "ULFM_NUM_NODES";
    /**
     * The variable with the key of the process's host. A guardian that watches over all processes of the job on one
     * host, and over what those start, knows them by it.
     */
    public static final String HOST = "ULFM_HOST";

    private static final String ADDRESS = "ULFM_ADDRESS";
    private static final String AGENT = "ULFM_AGENT";
    private static final String INCARNATION = "ULFM_INCARNATION";
    private static final String RENDEZVOUS = "ULFM_RDZV";
    private static final String SECRET_FILE = "ULFM_TOKEN_FILE";
    private static final String MAX_RESTARTS = "ULFM_MAX_RESTARTS";
    private static final String CONFIGURATION = "ULFM_CONF";
    private static final String BOUND = "ULFM_BOUND";
    private static final String SPARE = "ULFM_SPARE";
    /**
     * The variable with the sizes of an elastic world, as MIN:MAX; its value is {@link #STATIC} in a job whose launcher
     * gives the slots.
     */
    private static final String MEMBERS = "ULFM_MEMBERS";

    private static final String CHILD = "ULFM_CHILD";
    private static final String STATIC = "0";
    private static final List<String> VARIABLES = List.of(
            RUN_ID,
            RANK,
            SIZE,
            LOCAL_RANK,
            LOCAL_SIZE,
            NODE_RANK,
            NODE_COUNT,
            HOST,
            ADDRESS,
            AGENT,
            INCARNATION,
            RENDEZVOUS,
            SECRET_FILE,
            MAX_RESTARTS,
            CONFIGURATION,
            BOUND,
            SPARE,
            MEMBERS,
            CHILD);

    /** Whether a name is one of the variables {@code ULFM_…} that this class writes; none of them is an option. */
    public static boolean isVariable(String name) {
        return VARIABLES.contains(name);
    }

    /**
     * Whether an environment has {@link #RUN_ID}: it is that of a process that a launcher started, or of what such a
     * process started.
     */
    public static boolean isLaunched(Map<String, String> environment) {
        return environment.containsKey(RUN_ID);
    }

    /** Whether the launcher started a process with this environment as a spare; it may have a slot by now. */
    public static boolean isSpare(Map<String, String> environment) {
        return isLaunched(environment) && !environment.getOrDefault(SPARE, "0").equals("0");
    }

    /**
     * Reads what the launcher wrote.
     *
     * @throws IllegalArgumentException if a variable is missing, or its text has not the form that it must have
     */
    public static LaunchEnvironment from(Map<String, String> environment) {
        WithoutSlot withoutSlot = withoutSlot(environment);
        boolean hasSlot = withoutSlot == null;
        boolean hasLocalRank = hasSlot || withoutSlot.isElastic();
        return new LaunchEnvironment(
                text(environment, RUN_ID),
                hasSlot ? new ProcessId(number(environment, RANK), number(environment, INCARNATION)) : null,
                number(environment, SIZE),
                hasLocalRank ? number(environment, LOCAL_RANK) : 0,
                number(environment, LOCAL_SIZE),
                new HostPlace(
                        number(environment, NODE_RANK),
                        number(environment, NODE_COUNT),
                        key(environment),
                        text(environment, ADDRESS),
                        number(environment, AGENT) != 0),
                text(environment, RENDEZVOUS),
                Path.of(text(environment, SECRET_FILE)),
                Path.of(text(environment, CONFIGURATION)),
                number(environment, MAX_RESTARTS),
                number(environment, BOUND) != 0,
                withoutSlot);
    }

    private static WithoutSlot withoutSlot(Map<String, String> environment) {
        String members = text(environment, MEMBERS);
        if (members.equals(STATIC)) {
            int spare = number(environment, SPARE);
            // A process that was started with a slot does not load the class WithoutSlot.
            return spare == 0 ? null : WithoutSlot.spare(spare);
        }
        int colon = members.indexOf(':');
        try {
            return new WithoutSlot(
                    number(environment, CHILD),
                    Integer.parseInt(members.substring(0, Math.max(colon, 0))),
                    Integer.parseInt(members.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "environment variable " + MEMBERS + ": '" + members + "' is not MIN:MAX, nor " + STATIC, e);
        }
    }

    /** Whether the process waits for a slot, in {@code MPI.Init}. */
    public boolean isWaitingForSlot() {
        return process == null;
    }

    /** Whether the job is elastic: its world grows and shrinks, and gives the slots itself. */
    public boolean isElastic() {
        return withoutSlot != null && withoutSlot.isElastic();
    }

    /**
     * The number of the spare that the process was started as, from 1, whether it has a slot by now or not; 0 if it was
     * not started as a spare.
     */
    public int spare() {
        return withoutSlot == null || withoutSlot.isElastic() ? 0 : withoutSlot.number();
    }

    /**
     * In an elastic job: the number by which the launchers know this process until it has a slot, from 1; 0 in another
     * job.
     */
    public int child() {
        return isElastic() ? withoutSlot.number() : 0;
    }

    /** Returns the same environment for a process that has got a slot. */
    public LaunchEnvironment assigned(ProcessId assigned) {
        return new LaunchEnvironment(
                runId,
                assigned,
                size,
                isElastic() ? localRank : assigned.slot(),
                localSize,
                host,
                rendezvous,
                secretFile,
                configuration,
                maxRestarts,
                isBound,
                withoutSlot);
    }

    /** Returns the directory of the job's sockets and files. */
    public Path jobDirectory() {
        return configuration.getParent();
    }

    /**
     * The part of the names of the job's directories on this host that differs between jobs and between hosts: hosts
     * may share a disk or a kernel.
     */
    public String directoryName() {
        return jobDirectory().getFileName().toString().substring(DIRECTORY_PREFIX.length());
    }

    /**
     * Adds all variables of this environment, and those from which scripts written for other launchers read their rank
     * and the sizes. A process without a slot gets no variable that names its rank in the world.
     */
    public void writeTo(Map<String, String> environment) {
        environment.put(RUN_ID, runId);
        environment.put(RENDEZVOUS, rendezvous);
        environment.put(SECRET_FILE, secretFile.toString());
        environment.put(CONFIGURATION, configuration.toString());
        if (process != null) {
            put(environment, process.slot(), RANK, "OMPI_COMM_WORLD_RANK", "PMI_RANK", "DMLC_TASK_ID");
            put(environment, process.incarnation(), INCARNATION, "DMLC_NUM_ATTEMPT");
        }
        if (process != null || isElastic()) {
            put(environment, localRank, LOCAL_RANK, "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID");
            put(environment, localRank, "OMPI_COMM_WORLD_NODE_RANK");
        }
        put(environment, spare(), SPARE);
        environment.put(MEMBERS, isElastic() ? withoutSlot.min() + ":" + withoutSlot.max() : STATIC);
        put(environment, child(), CHILD);
        put(environment, size, SIZE, "OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
        put(environment, localSize, LOCAL_SIZE, "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS");
        put(environment, host.index(), NODE_RANK);
        put(environment, host.count(), NODE_COUNT);
        environment.put(HOST, keyText(host.key()));
        environment.put(ADDRESS, host.address());
        put(environment, host.hasAgent() ? 1 : 0, AGENT);
        put(environment, maxRestarts, MAX_RESTARTS);
        put(environment, isBound ? 1 : 0, BOUND);
    }

    /** Adds the variables from which programs for {@code torchrun} read their rank and the sizes. */
    public void writeTorchNamesTo(Map<String, String> environment) {
        if (process != null) {
            put(environment, process.slot(), "RANK");
        }
        if (process != null || isElastic()) {
            put(environment, localRank, "LOCAL_RANK");
        }
        put(environment, size, "WORLD_SIZE");
        put(environment, localSize, "LOCAL_WORLD_SIZE");
    }

    private static void put(Map<String, String> environment, int value, String... names) {
        for (String name : names) {
            environment.put(name, Integer.toString(value));
        }
    }

    /** Returns the key of a host as the text that {@link #HOST} has. */
    public static String keyText(long key) {
        return Long.toHexString(key);
    }

    private static long key(Map<String, String> environment) {
        String value = text(environment, HOST);
        try {
            return Long.parseUnsignedLong(value, 16);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "environment variable " + HOST + ": '" + value + "' is no hexadecimal number", e);
        }
    }

    private static String text(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException("environment variable " + name + " is missing although " + RUN_ID
                    + " is set; start the program by mpiexec");
        }
        return value;
    }

    private static int number(Map<String, String> environment, String name) {
        String value = text(environment, name);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("environment variable " + name + ": '" + value + "' is no number", e);
        }
    }
}
