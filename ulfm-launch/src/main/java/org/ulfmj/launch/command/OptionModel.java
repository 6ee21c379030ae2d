package org.ulfmj.launch.command;

import static org.ulfmj.command.CommandOption.flag;
import static org.ulfmj.command.CommandOption.pairs;
import static org.ulfmj.command.CommandOption.value;
import static org.ulfmj.command.CommandOption.values;

import java.util.List;
import org.ulfmj.command.CommandOption;

/** The options of {@code mpiexec}. Those that Open MPI or Hydra have too can be given under the names there. */
final class OptionModel {
    static final String COUNT = "-n";
    static final String FAULT_TOLERANCE = "--with-ft";
    static final String DISABLE_RECOVERY = "--disable-recovery";
    static final String ENABLE_RECOVERY = "--enable-recovery";
    static final String INJECT = "--inject";
    static final String INJECT_SEED = "--inject-seed";
    static final String INJECT_FILE = "--inject-file";
    static final String INJECT_PLAN = "--inject-plan";
    static final String INJECT_LOG = "--inject-log";
    static final String INJECT_REPORT = "--inject-report";
    static final String EXPECT = "--expect";
    static final String TIMEOUT = "--timeout";
    static final String TAG_OUTPUT = "--tag-output";
    static final String TIME_OUTPUT = "--timestamp-output";
    static final String MERGE_OUTPUT = "--merge-stderr-to-stdout";
    static final String OUTPUT = "--output";
    static final String OUTPUT_DIRECTORY = "--output-filename";
    static final String OUT_PATTERN = "-outfile-pattern";
    static final String ERR_PATTERN = "-errfile-pattern";
    static final String TEE = "--tee";
    static final String STDIN = "--stdin";
    static final String ENVIRONMENT = "-x";
    static final String WORKING_DIRECTORY = "--wdir";
    static final String OVERSUBSCRIBE = "--oversubscribe";
    static final String AS_ROOT = "--allow-run-as-root";
    static final String ERRHANDLER = "--initial-errhandler";
    static final String ORPHANS = "--orphans";
    static final String MAX_RESTARTS = "--max-restarts";
    static final String SPARES = "--spares";
    static final String REPORT_PID = "--report-pid";
    static final String REPORT_URI = "--report-uri";
    static final String JOIN = "--join";
    static final String RDZV = "--rdzv";
    static final String RDZV_FORGET = "--rdzv-forget";
    static final String HOST_DISCOVERY = "--host-discovery";
    static final String PRINT_EXIT_CODES = "--print-all-exitcodes";
    static final String SET = "--set";
    static final String MCA = "--mca";
    static final String PARAMETER_FILE = "-am";
    static final String HOST = "--host";
    static final String HOST_FILE = "--hostfile";
    static final String LAUNCHER = "--launcher";
    static final String LAUNCHER_EXEC = "--launcher-exec";
    static final String SSH_ARGS = "--ssh-args";
    static final String COUNT_PER_HOST = "-N";
    static final String ENVIRONMENT_PAIR = "-env";
    static final String ENVIRONMENT_LIST = "-envlist";
    static final String ENVIRONMENT_NONE = "-envnone";
    static final String ENVIRONMENT_ALL = "-envall";
    static final String UNSET_ENVIRONMENT = "--unset-env";
    static final String JOB_ENVIRONMENT_PAIR = "-genv";
    static final String JOB_ENVIRONMENT_LIST = "-genvlist";
    static final String JOB_ENVIRONMENT_NONE = "-genvnone";
    static final String JOB_ENVIRONMENT_ALL = "-genvall";
    static final String ENVIRONMENT_NAMES = "--env-compat";
    static final String FORWARD_SIGNALS = "--forward-signals";
    static final String REPORT_STATE = "--report-state-on-timeout";
    static final String STACK_TRACES = "--get-stack-traces";
    static final String DO_NOT_LAUNCH = "--do-not-launch";
    static final String PROGRAMS_FILE = "--app";
    static final String VERBOSE = "--verbose";
    static final String QUIET = "--quiet";
    static final String DISPLAY_MAP = "--display-map";
    static final String REPORT_BINDINGS = "--report-bindings";
    static final String BIND_TO = "--bind-to";
    static final String MAP_BY = "--map-by";
    static final String RANK_BY = "--rank-by";
    static final String HELP = "--help";
    static final String VERSION = "--version";

    /** The options about the streams of processes. */
    static final List<String> STREAMS = List.of(
            TAG_OUTPUT, TIME_OUTPUT, MERGE_OUTPUT, OUTPUT, OUTPUT_DIRECTORY, OUT_PATTERN, ERR_PATTERN, TEE, STDIN);

    /** The options that change the environment of the processes, except {@link #ENVIRONMENT_NAMES}. */
    static final List<String> ENVIRONMENTS = List.of(
            ENVIRONMENT,
            ENVIRONMENT_PAIR,
            ENVIRONMENT_LIST,
            ENVIRONMENT_NONE,
            UNSET_ENVIRONMENT,
            JOB_ENVIRONMENT_PAIR,
            JOB_ENVIRONMENT_LIST,
            JOB_ENVIRONMENT_NONE);

    /** The options of {@link Extras}. */
    static final List<String> EXTRAS = List.of(
            ENVIRONMENT_NAMES,
            FORWARD_SIGNALS,
            REPORT_STATE,
            STACK_TRACES,
            DO_NOT_LAUNCH,
            INJECT_PLAN,
            INJECT_LOG,
            INJECT_REPORT,
            EXPECT);

    /** All options, in the order in which {@code --help} shows them. */
    static final List<CommandOption> ENTRIES = List.of(
            value(
                    "N",
                    "How many processes; MIN:MAX: as there are slots or cores, in a world that grows up to MAX.",
                    COUNT,
                    "-np",
                    "--np",
                    "-c"),
            value(
                    "FILE",
                    "Write what another mpiexec of this host needs to add processes to a job of MIN:MAX.",
                    REPORT_URI,
                    "-report-uri"),
            value(
                    "FILE|URL",
                    "Start processes that join the job whose mpiexec has written this file, or has this --rdzv.",
                    JOIN),
            value(
                    "URL",
                    "Elect the coordinator of the job in etcd, so that the job survives the end of mpiexec:"
                            + " etcd://HOST:PORT,HOST:PORT/JOB?secret_file=FILE (docs/use/launcher.md).",
                    RDZV),
            value(
                    "URL",
                    "Delete what a job with --rdzv has left in etcd, all of whose processes are dead.",
                    RDZV_FORGET),
            value(
                    "CMD",
                    "In a job of MIN:MAX, ask this command again and again for lines HOST:SLOTS, and start and end processes by"
                            + " them.",
                    HOST_DISCOVERY,
                    "--host-discovery-script"),
            values(
                    "NAME[=VALUE]",
                    "Give a variable to the processes: this one, or the launcher's own; NAME* for several.",
                    ENVIRONMENT,
                    "--set-env"),
            pairs("NAME VALUE", "The same in the words of Hydra.", ENVIRONMENT_PAIR, "--env"),
            values("NAME", "Take a variable from the processes.", UNSET_ENVIRONMENT, "-unset-env"),
            values(
                    "NAME,...",
                    "Give only these variables of the launcher to the processes.",
                    ENVIRONMENT_LIST,
                    "--envlist"),
            flag("Give no variables of the launcher to the processes.", ENVIRONMENT_NONE, "--envnone"),
            flag("Accepted; the processes have all variables anyway.", ENVIRONMENT_ALL, "--envall"),
            pairs("NAME VALUE", "As -env, for all programs of the job.", JOB_ENVIRONMENT_PAIR, "--genv"),
            values("NAME,...", "As -envlist, for all programs of the job.", JOB_ENVIRONMENT_LIST, "--genvlist"),
            flag("As -envnone, for all programs of the job.", JOB_ENVIRONMENT_NONE, "--genvnone"),
            flag("Accepted; the processes have all variables anyway.", JOB_ENVIRONMENT_ALL, "--genvall"),
            value("torch", "Set RANK, WORLD_SIZE, LOCAL_RANK and LOCAL_WORLD_SIZE too.", ENVIRONMENT_NAMES),
            value(
                    "FILE",
                    "Start the programs in the lines of this file, each with its -n N, instead of one.",
                    PROGRAMS_FILE,
                    "-app",
                    "-configfile",
                    "--configfile"),
            value("DIR", "Working directory of the processes.", WORKING_DIRECTORY, "-wdir", "--wd"),
            values("NAME=VALUE", "Set an option, as in --set ulfm.fd.timeout=2s (docs/use/options.md lists all).", SET),
            value("TIME", "End the job after so many seconds (or 500ms, 2min) with code 124.", TIMEOUT),
            flag("When the time is over, report the state of each process.", REPORT_STATE, "-report-state-on-timeout"),
            flag(
                    "When the time is over, print the stacks of virtual machines that scripts have started too.",
                    STACK_TRACES,
                    "-get-stack-traces"),
            value(
                    "NAME,...|none",
                    "More signals that are passed on, besides USR1 and USR2; Java ranks get them as messages.",
                    FORWARD_SIGNALS,
                    "-forward-signals"),
            flag(
                    "Show which command each rank would execute on which core, and start nothing.",
                    DO_NOT_LAUNCH,
                    "--novm"),
            value("-|+|FILE", "Write the pid of mpiexec to stdout, stderr or a file.", REPORT_PID, "-report-pid"),
            value(
                    "WHAT",
                    "Which processors each rank keeps, by taskset: core, hwthread, cpu-list:0,2-3 for itself; socket, numa, l3cache"
                            + " in turn; none (default: a core at most in its first seconds).",
                    BIND_TO,
                    "-bind-to"),
            value(
                    "slot|node",
                    "Fill a host before the next one (default), or give each host a process in turn; others are accepted with a"
                            + " warning.",
                    MAP_BY,
                    "-map-by"),
            value("HOW", "Accepted with a warning: ranks are counted as they are started.", RANK_BY, "-rank-by"),
            flag("Begin each forwarded line with its rank.", TAG_OUTPUT, "-prepend-rank", "-l", "-tag-output"),
            flag("Begin each forwarded line with the time.", TIME_OUTPUT, "-timestamp-output"),
            flag("What processes write to stderr goes to stdout.", MERGE_OUTPUT, "-merge-stderr-to-stdout"),
            value(
                    "DIR",
                    "Write the output of each rank to DIR/rank.N/stdout and stderr instead of the terminal.",
                    OUTPUT_DIRECTORY,
                    "-output-filename",
                    "-outputfile"),
            value(
                    "WORDS",
                    "The same and more in the words of Open MPI 5: tag, timestamp, merge-stderr-to-stdout, dir=DIR, file=NAME for"
                            + " NAME.N.out and NAME.N.err; several with commas.",
                    OUTPUT,
                    "-output"),
            value(
                    "FILE",
                    "Write stdout of each rank to this file; %r stands for the rank, %h for the host.",
                    OUT_PATTERN,
                    "--outfile-pattern"),
            value("FILE", "The same for stderr.", ERR_PATTERN, "--errfile-pattern"),
            flag("Write output that goes to files to the terminal too.", TEE, "-tee"),
            value("N|all|none", "Which rank reads stdin; default 0.", STDIN, "-stdin", "-s"),
            flag("List at the end how each process ended.", PRINT_EXIT_CODES, "-print-all-exitcodes"),
            value("ulfm|none", "Whether the job survives failures; default ulfm.", FAULT_TOLERANCE),
            flag("The same as --with-ft none.", DISABLE_RECOVERY),
            flag("The same as --with-ft ulfm.", ENABLE_RECOVERY, "-disable-auto-cleanup"),
            value(
                    "K",
                    "Start a rank that failed again, up to K times for each rank; default 0.",
                    MAX_RESTARTS,
                    "-max-restarts"),
            value(
                    "S",
                    "Keep S more processes waiting in MPI.Init, to take the places of failed ranks at once; default 0.",
                    SPARES),
            value(
                    "HANDLER",
                    "First error handler: mpi_errors_return, mpi_errors_are_fatal or mpi_errors_abort.",
                    ERRHANDLER),
            value("exit|continue", "What the processes do when mpiexec itself is killed; default exit.", ORPHANS),
            values(
                    "PLAN",
                    "Faults: kill:rank=2@t=2s, kill:rank=2@op=allreduce#100, stop:rank=1@t=2s..5s, reset:link=0-1@t=1s,"
                            + " kill:rank=2,inc=1@t=50ms for the first replacement; several with ; or by repetition"
                            + " (docs/use/injection.md).",
                    INJECT),
            values("FILE", "The same from the lines of a file.", INJECT_FILE),
            value("SEED", "Repeat the random choices of a plan.", INJECT_SEED),
            value("FILE", "Write the plan, with nothing left to chance, for --inject-file.", INJECT_PLAN),
            value("FILE", "Log each fault: planned, actual, outcome; a line of JSON each.", INJECT_LOG),
            flag("At the end, report how soon each failure was detected and recovered from.", INJECT_REPORT),
            value(
                    "WHAT",
                    "End with 121 unless the job shows this: exit=0,dead={3},detect<5s,recover<5s,no-false-positive.",
                    EXPECT),
            flag(
                    "Hosts may take more processes than they have slots; ranks may exceed cores anyway.",
                    OVERSUBSCRIBE,
                    "-oversubscribe"),
            flag("Accepted; root needs no permission.", AS_ROOT),
            pairs(
                    "NAME VALUE",
                    "Parameters of Open MPI about fault tolerance are understood, others are accepted with a warning.",
                    MCA,
                    "-mca",
                    "--gmca",
                    "-gmca"),
            values(
                    "FILE",
                    "Parameters of Open MPI, a line NAME = VALUE each; ft-mpi and ft-enable-mpi turn fault tolerance on.",
                    PARAMETER_FILE,
                    "--am"),
            values(
                    "NAME[:SLOTS],...",
                    "Run on these hosts; without -n, a process for each slot.",
                    HOST,
                    "-host",
                    "-H",
                    "--hosts",
                    "-hosts"),
            values(
                    "FILE",
                    "The same for the hosts in a file, a line each: NAME slots=N max_slots=N, or NAME:N.",
                    HOST_FILE,
                    "-hostfile",
                    "--machinefile",
                    "-machinefile",
                    "-f"),
            value(
                    "N",
                    "Processes on each host, at most; without -n, so many.",
                    COUNT_PER_HOST,
                    "-npernode",
                    "--npernode",
                    "-ppn"),
            value(
                    "ssh|slurm|manual",
                    "How other hosts are reached; default slurm in a job of Slurm, else ssh. By hand: mpiexec says what to start.",
                    LAUNCHER,
                    "-launcher",
                    "-bootstrap"),
            value(
                    "CMD",
                    "Command that runs another one on a host, whose name stands for {host} or comes last, as for ssh.",
                    LAUNCHER_EXEC,
                    "-launcher-exec",
                    "-bootstrap-exec"),
            value(
                    "WORDS",
                    "Arguments for ssh, in front of the name of the host, as in --ssh-args='-p 2222'.",
                    SSH_ARGS),
            flag("The same as --set ulfm.verbose=1.", VERBOSE, "-v"),
            flag("Accepted with a warning.", QUIET, "-q"),
            flag("Accepted with a warning.", DISPLAY_MAP, "-display-map"),
            flag("Accepted with a warning.", REPORT_BINDINGS, "-report-bindings"),
            flag("Show this text.", HELP, "-h", "-help"),
            flag("Show the version.", VERSION, "-V", "-version"));

    private OptionModel() {}
}
