package org.ulfmj.launch.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The options of {@code mpiexec}, by the names that Open MPI and Hydra gave them. Built by hand instead of by annotations,
 * because reflection would cost a third of the launcher's start.
 */
final class OptionModel {
    static final String COUNT = "-n";
    static final String FAULT_TOLERANCE = "--with-ft";
    static final String DISABLE_RECOVERY = "--disable-recovery";
    static final String ENABLE_RECOVERY = "--enable-recovery";
    static final String INJECT = "--inject";
    static final String INJECT_SEED = "--inject-seed";
    static final String TIMEOUT = "--timeout";
    static final String TAG_OUTPUT = "--tag-output";
    static final String ENVIRONMENT = "-x";
    static final String WORKING_DIRECTORY = "--wdir";
    static final String OVERSUBSCRIBE = "--oversubscribe";
    static final String AS_ROOT = "--allow-run-as-root";
    static final String ERRHANDLER = "--initial-errhandler";
    static final String ORPHANS = "--orphans";
    static final String MAX_RESTARTS = "--max-restarts";
    static final String SPARES = "--spares";
    static final String REPORT_PID = "--report-pid";
    static final String PRINT_EXIT_CODES = "--print-all-exitcodes";
    static final String SET = "--set";
    static final String MCA = "--mca";
    static final String PARAMETER_FILE = "-am";
    static final String BIND_TO = "--bind-to";
    static final String MAP_BY = "--map-by";
    static final String RANK_BY = "--rank-by";
    static final String HELP = "--help";
    static final String VERSION = "--version";

    private OptionModel() {}

    static CommandSpec create() {
        CommandSpec spec = CommandSpec.create().name("mpiexec");
        spec.parser().stopAtPositional(true).posixClusteredShortOptionsAllowed(false);
        spec.usageMessage()
                .customSynopsis(
                        "mpiexec -n N [options] java -cp CLASSES Main [args]",
                        "       mpiexec -n N [options] COMMAND [args]",
                        "       mpiexec -n N [options] examples NAME [args]")
                .description("Starts N processes of an MPI program and goes on when some of them die.")
                .sortOptions(false)
                .width(100);
        addStarting(spec);
        addPlacing(spec);
        addOutput(spec);
        addFaultTolerance(spec);
        addCompatibility(spec);
        spec.addPositional(PositionalParamSpec.builder()
                .index("0..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .hidden(true)
                .build());
        return spec;
    }

    private static void addStarting(CommandSpec spec) {
        spec.addOption(value("N", "How many processes.", COUNT, "-np", "--np", "-c"));
        spec.addOption(values(
                "NAME[=VALUE]", "Give a variable to the processes: this one, or the launcher's own.", ENVIRONMENT));
        spec.addOption(value("DIR", "Working directory of the processes.", WORKING_DIRECTORY, "-wdir", "--wd"));
        spec.addOption(values(
                "NAME=VALUE", "Set an option, as in --set ulfm.fd.timeout=2s (docs/options.md lists all).", SET));
        spec.addOption(value("TIME", "End the job after so many seconds (or 500ms, 2min) with code 124.", TIMEOUT));
        spec.addOption(
                value("-|+|FILE", "Write the pid of mpiexec to stdout, stderr or a file.", REPORT_PID, "-report-pid"));
    }

    private static void addPlacing(CommandSpec spec) {
        spec.addOption(value(
                "core|none",
                "Whether each rank has a core of its own, by taskset; default none.",
                BIND_TO,
                "-bind-to"));
        spec.addOption(value("HOW", "Accepted with a warning: rank i is bound to the i-th core.", MAP_BY, "-map-by"));
        spec.addOption(
                value("HOW", "Accepted with a warning: ranks are counted as they are started.", RANK_BY, "-rank-by"));
    }

    private static void addOutput(CommandSpec spec) {
        spec.addOption(flag("Begin each forwarded line with its rank.", TAG_OUTPUT, "-prepend-rank", "-l"));
        spec.addOption(flag("List at the end how each process ended.", PRINT_EXIT_CODES, "-print-all-exitcodes"));
    }

    private static void addFaultTolerance(CommandSpec spec) {
        spec.addOption(value("ulfm|none", "Whether the job survives failures; default ulfm.", FAULT_TOLERANCE));
        spec.addOption(flag("The same as --with-ft none.", DISABLE_RECOVERY));
        spec.addOption(flag("The same as --with-ft ulfm.", ENABLE_RECOVERY, "-disable-auto-cleanup"));
        spec.addOption(value(
                "K",
                "Start a rank that failed again, up to K times for each rank; default 0.",
                MAX_RESTARTS,
                "-max-restarts"));
        spec.addOption(value(
                "S",
                "Keep S more processes waiting in MPI.Init, to take the places of failed ranks at once; default 0.",
                SPARES));
        spec.addOption(value(
                "HANDLER",
                "First error handler: mpi_errors_return, mpi_errors_are_fatal or mpi_errors_abort.",
                ERRHANDLER));
        spec.addOption(
                value("exit|continue", "What the processes do when mpiexec itself is killed; default exit.", ORPHANS));
        spec.addOption(values(
                "PLAN",
                "Kill ranks: kill:rank=2@t=2s, kill:rank=2@op=allreduce#100, kill:rank=any(1)@iter=40,"
                        + " kill:rank=2,inc=1@t=50ms for the first replacement; several with ; or by repetition.",
                INJECT));
        spec.addOption(value("SEED", "Repeat the random choices of a plan.", INJECT_SEED));
    }

    private static void addCompatibility(CommandSpec spec) {
        spec.addOption(flag("Accepted; ranks may exceed cores anyway.", OVERSUBSCRIBE));
        spec.addOption(flag("Accepted; nobody is refused.", AS_ROOT));
        spec.addOption(OptionSpec.builder(MCA, "-mca", "--gmca", "-gmca")
                .arity("2")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("NAME VALUE")
                .description("Parameters mpi_ft_* of Open MPI are understood, others are accepted with a warning.")
                .build());
        spec.addOption(values("FILE", "Accepted with a warning.", PARAMETER_FILE, "--am"));
        spec.addOption(flag("Show this text.", "-h", HELP, "-help"));
        spec.addOption(flag("Show the version.", "-V", VERSION, "-version"));
    }

    private static OptionSpec flag(String description, String... names) {
        return OptionSpec.builder(names[0], rest(names))
                .arity("0")
                .type(boolean.class)
                .description(description)
                .build();
    }

    private static OptionSpec value(String label, String description, String... names) {
        return OptionSpec.builder(names[0], rest(names))
                .arity("1")
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    private static OptionSpec values(String label, String description, String... names) {
        return OptionSpec.builder(names[0], rest(names))
                .arity("1")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    private static String[] rest(String... names) {
        String[] rest = new String[names.length - 1];
        System.arraycopy(names, 1, rest, 0, rest.length);
        return rest;
    }
}
