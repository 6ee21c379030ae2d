package org.ulfmj.launch.program;

import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Map;

/**
 * Options with which HotSpot starts a rank sooner, with which its messages are fast sooner, and with which it answers
 * in time. An option is left out if the user has chosen one of its kind.
 *
 * <p>The first compiler compiles a method without loops after 500 calls instead of 200: many methods of a start are
 * called seldom, and ranks that start together share the cores with their compilers. The second compiler compiles it
 * after 20,000 calls instead of 5,000: the code of the first compiler is fast enough for a job's first moments, in
 * which the ranks need the cores. The thresholds for a loop that is still running are not changed.
 * {@link CompileCommands} are about single methods of our own.
 *
 * <p>The archive of classes is mapped at the address for which it was made, if that address is free. At another address
 * each virtual machine would rewrite all pointers of the archive, and have its own copy of pages that otherwise all
 * virtual machines share.
 *
 * <p>The class of the platform's selector is named, as the platform would otherwise search all services for it.
 *
 * <p>Up to Java 21 the virtual machine stops all of its threads once a second, for work that could wait. While a thread
 * fills a new direct buffer with zeros it cannot be stopped, and the other threads wait for it. Where memory is slow to
 * come, as in some virtual machines of clouds, a gigabyte takes ten seconds and more: the rank would be taken for dead.
 *
 * <p>One option keeps a rank from printing a warning. When virtual machines start together, one of them may look at
 * another's file of performance counters to see whether it is left over from a dead process. The other then warns on
 * standard output that it goes on without that file.
 */
public final class QuickStart {
    private static final List<String> FIRST_COMPILER = List.of(
            "-XX:Tier3InvocationThreshold=500",
            "-XX:Tier3MinInvocationThreshold=250",
            "-XX:Tier3CompileThreshold=2500");
    private static final List<String> SECOND_COMPILER = List.of(
            "-XX:Tier4InvocationThreshold=20000",
            "-XX:Tier4MinInvocationThreshold=2000",
            "-XX:Tier4CompileThreshold=50000");
    /** Choices of which compilers work, and when. */
    private static final List<String> OWN_COMPILERS = List.of(
            "-XX:TieredStopAtLevel",
            "-XX:-Tiered",
            "-XX:CompileThreshold",
            "-XX:CompilationMode",
            "-Xint",
            "-Xcomp",
            "-XX:Flags");

    private static final List<String> OWN_FIRST_COMPILER = List.of("-XX:Tier0", "-XX:Tier2", "-XX:Tier3");
    private static final List<String> OWN_SECOND_COMPILER = List.of("-XX:Tier4");
    private static final List<String> OWN_COMMANDS = List.of("-XX:CompileCommand", "-XX:CompilerDirectives");

    /**
     * The options that map the archive of classes at the address for which it was made. The first option unlocks the
     * second.
     */
    private static final List<String> MAPPING =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");

    private static final List<String> OWN_MAPPING =
            List.of("-XX:-UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode", "-Xshare", "-XX:Flags");
    /**
     * The newest Java version that is known to have the options of {@link #MAPPING}. A virtual machine that does not
     * know an option does not start, and later versions may drop one.
     */
    private static final int NEWEST_WITH_MAPPING = 25;

    /** The options that turn off the stop of all threads once a second. The first option unlocks the second. */
    private static final List<String> UNSTOPPED =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval=0");

    private static final List<String> OWN_STOPS =
            List.of("-XX:-UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval", "-XX:Flags");
    /** The newest Java version whose virtual machine may stop all threads once a second by default. */
    private static final int NEWEST_WITH_STOPS = 21;

    private static final String SELECTOR = "-Djava.nio.channels.spi.SelectorProvider=";
    private static final String EPOLL = "sun.nio.ch.EPollSelectorProvider";
    private static final List<String> SILENCE = List.of("-Xlog:perf+memops=error");
    private static final List<String> OWN_SILENCE = List.of("-Xlog:perf", "-Xlog:all", "-XX:Flags");

    private QuickStart() {}

    /**
     * Adds these options to a command. Returns the command unchanged if it does not run the same virtual machine as the
     * launcher, or that is no HotSpot server virtual machine.
     *
     * @param environment of the launcher
     */
    public static StartCommand addTo(StartCommand command, Installation ours, Map<String, String> environment) {
        boolean isKnown = command.isJava()
                && command.words().get(0).equals(ours.java().toString())
                && System.getProperty("java.vm.name", "").contains("Server VM");
        if (!isKnown) {
            return command;
        }
        OwnOptions own = new OwnOptions(command, environment);
        StartCommand quicker = command;
        if (!own.isAny(OWN_COMPILERS)) {
            if (!own.isAny(OWN_FIRST_COMPILER)) {
                quicker = quicker.withJavaOptions(FIRST_COMPILER);
            }
            if (!own.isAny(OWN_SECOND_COMPILER)) {
                quicker = quicker.withJavaOptions(SECOND_COMPILER);
            }
            if (!own.isAny(OWN_COMMANDS)) {
                quicker = quicker.withJavaOptions(CompileCommands.options());
            }
        }
        if (Runtime.version().feature() <= NEWEST_WITH_MAPPING && !own.isAny(OWN_MAPPING)) {
            quicker = quicker.withJavaOptions(MAPPING);
        }
        if (Runtime.version().feature() <= NEWEST_WITH_STOPS && !own.isAny(OWN_STOPS)) {
            quicker = quicker.withJavaOptions(UNSTOPPED);
        }
        if (!own.isAny(OWN_SILENCE)) {
            quicker = quicker.withJavaOptions(SILENCE);
        }
        if (isEpoll() && !own.isAny(List.of(SELECTOR))) {
            quicker = quicker.withJavaOptions(List.of(SELECTOR.concat(EPOLL)));
        }
        return quicker;
    }

    /**
     * Whether the platform's selector is the one of epoll, which the option names. To ask the platform costs the
     * launcher the search that the ranks are spared, unless the launcher was itself started with the option.
     */
    private static boolean isEpoll() {
        return EPOLL.equals(System.getProperty("java.nio.channels.spi.SelectorProvider"))
                || SelectorProvider.provider().getClass().getName().equals(EPOLL);
    }
}
