package org.ulfmj.launch.command;

import java.util.List;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.hosts.AgentStart;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.record.Protection;

/**
 * Reads what a command line says of a world that grows: {@code -n MIN:MAX}, {@code --host-discovery},
 * {@code --report-uri} and {@code --join}. A launcher of a static job does not load this class.
 */
final class Elasticity {
    /**
     * Options of the whole job, which only the launcher that starts the job may give. They are refused beside
     * {@code --join}.
     */
    private static final List<String> OF_THE_JOB = List.of(
            OptionModel.SET,
            OptionModel.FAULT_TOLERANCE,
            OptionModel.DISABLE_RECOVERY,
            OptionModel.ENABLE_RECOVERY,
            OptionModel.MAX_RESTARTS,
            OptionModel.SPARES,
            OptionModel.ERRHANDLER,
            OptionModel.ORPHANS,
            OptionModel.INJECT,
            OptionModel.INJECT_FILE,
            OptionModel.INJECT_SEED,
            OptionModel.INJECT_PLAN,
            OptionModel.INJECT_LOG,
            OptionModel.INJECT_REPORT,
            OptionModel.EXPECT,
            OptionModel.REPORT_URI,
            OptionModel.RDZV,
            OptionModel.HOST_DISCOVERY,
            OptionModel.HOST,
            OptionModel.HOST_FILE,
            OptionModel.COUNT_PER_HOST,
            OptionModel.LAUNCHER,
            OptionModel.LAUNCHER_EXEC,
            OptionModel.SSH_ARGS);

    /**
     * Options about faults to inject, in which ranks are named before the job begins, and about what is logged,
     * reported and expected of the faults. They are refused in a world that grows.
     */
    private static final List<String> OF_FIXED_RANKS = List.of(
            OptionModel.INJECT,
            OptionModel.INJECT_FILE,
            OptionModel.INJECT_LOG,
            OptionModel.INJECT_REPORT,
            OptionModel.EXPECT);

    /**
     * Options that name hosts, or how many processes a host gets. They are refused beside {@code --host-discovery},
     * whose command alone says where processes run.
     */
    private static final List<String> OF_PLACES =
            List.of(OptionModel.HOST, OptionModel.HOST_FILE, OptionModel.COUNT_PER_HOST);

    private Elasticity() {}

    /**
     * Throws if a command line with {@code --join} has an option that is one of the whole job ({@link #OF_THE_JOB}).
     */
    static void requireNothingOfTheJob(Given given) {
        String join = OptionModel.JOIN;
        for (String option : OF_THE_JOB) {
            if (given.has(option)) {
                throw new UsageException(option + " is for the mpiexec that starts the job; one with " + join
                        + " takes it from there, so leave it out here");
            }
        }
    }

    /**
     * The elastic job of a command line with {@code --join}: its processes join a job that another launcher has
     * started.
     */
    static ElasticJob joining(Given given, int blocks) {
        String join = OptionModel.JOIN;
        if (blocks > 1) {
            throw new UsageException(join + ": processes of one program join; start mpiexec once for each program");
        }
        String count = given.text(OptionModel.COUNT);
        if (count != null && CountRange.isRange(count)) {
            throw new UsageException("-n " + count + ": with " + join + " write how many processes join, as in -n 2");
        }
        String file = given.text(join);
        return new ElasticJob(0, 0, null, file.contains("://") ? Coordination.checked(join, file) : file);
    }

    /**
     * The elastic job of a command line with {@code -n MIN:MAX}.
     *
     * @param isHere whether all processes run on the launcher's host, as far as the command line says so
     * @param restarts whether the command line asks for restarts or spares, which an elastic job refuses
     * @param ofDiscovery how agents of discovered hosts are started; null where no hosts are discovered
     */
    static ElasticJob of(
            Given given, CountRange range, boolean isHere, boolean restarts, Options options, AgentStart ofDiscovery) {
        String what = "-n " + range.text() + ": ";
        if (!isHere && given.has(OptionModel.REPORT_URI)) {
            throw new UsageException(
                    OptionModel.REPORT_URI + ": processes can join a job only if all of it is on one host");
        }
        if (options.needsMajority() && (!isHere || ofDiscovery != null)) {
            throw new UsageException(what + "in a world that grows on several hosts the side of mpiexec goes on; leave"
                    + " out ulfm.ft.quorum=majority (allowed: coordinator), or write -n N");
        }
        if (restarts) {
            throw new UsageException(what + "a world that grows gets other processes by --join; leave out "
                    + (given.has(OptionModel.SPARES) ? OptionModel.SPARES : OptionModel.MAX_RESTARTS));
        }
        if (!options.isFaultTolerant()) {
            throw new UsageException(
                    what + "a world that grows is one that survives failures; leave out --with-ft none");
        }
        requireNoPlacesBesideDiscovery(given);
        for (String option : OF_FIXED_RANKS) {
            if (given.has(option)) {
                throw new UsageException(what + "a plan of faults needs ranks that are known before the job begins;"
                        + " leave out " + option + ", or write -n N");
            }
        }
        return new ElasticJob(
                range.min(),
                range.max(),
                given.text(OptionModel.REPORT_URI),
                null,
                given.text(OptionModel.HOST_DISCOVERY),
                ofDiscovery);
    }

    /**
     * Warnings about the options of a job whose hosts are discovered: one if connections between hosts are not
     * protected; else none.
     */
    static List<String> warnings(Options options) {
        return options.protection() == Protection.NONE
                ? List.of(
                        "ulfm.net.protect=none with --host-discovery: whatever lies between the hosts that it finds can"
                                + " read and change the messages of the job")
                : List.of();
    }

    private static void requireNoPlacesBesideDiscovery(Given given) {
        if (!given.has(OptionModel.HOST_DISCOVERY)) {
            return;
        }
        if (given.text(OptionModel.HOST_DISCOVERY).isBlank()) {
            throw new UsageException(OptionModel.HOST_DISCOVERY + ": write a command that prints lines HOST:SLOTS");
        }
        for (String option : OF_PLACES) {
            if (given.has(option)) {
                throw new UsageException(OptionModel.HOST_DISCOVERY + ": its command says which hosts and slots there"
                        + " are; leave out " + option);
            }
        }
    }
}
