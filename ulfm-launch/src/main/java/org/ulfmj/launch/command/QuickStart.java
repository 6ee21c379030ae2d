package org.ulfmj.launch.command;

import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Map;

/**
 * Options with which HotSpot starts a rank sooner, unless the user has chosen one of their kind himself. The compiler
 * takes a method in hand after 2,000 calls instead of 200: most of what a start calls is called seldom, and sixteen
 * ranks on two cores spent a sixth of their start compiling it. How fast the code becomes in the end is not changed,
 * nor when long loops are compiled. The archive of classes is mapped where it was made for, if that place is free:
 * elsewhere each virtual machine rewrites all pointers in it, and has its own copy of what else all share. And the
 * platform is told its own selector, for which it would else look through all services.
 *
 * <p>And one with which a rank starts without a word: of virtual machines that start together, one may look at the
 * other's performance counters to see whether they are left over from a dead process, and the other then warns, on
 * standard output, that it has to do without a file for them.
 */
public final class QuickStart {
    private static final List<String> COMPILING = List.of(
            "-XX:Tier3InvocationThreshold=2000",
            "-XX:Tier3MinInvocationThreshold=1000",
            "-XX:Tier3CompileThreshold=10000");
    private static final List<String> OWN_COMPILING =
            List.of("-XX:Tier", "-XX:-Tier", "-XX:+Tier", "-XX:CompileThreshold", "-Xint", "-Xcomp", "-XX:Flags");

    /** The second is one of those that the first unlocks. */
    private static final List<String> MAPPING =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");

    private static final List<String> OWN_MAPPING =
            List.of("-XX:-UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode", "-Xshare", "-XX:Flags");
    /** A virtual machine that does not know an option does not start, and of later ones no process can tell yet. */
    private static final int NEWEST_WITH_MAPPING = 25;

    private static final String SELECTOR = "-Djava.nio.channels.spi.SelectorProvider=";
    private static final String EPOLL = "sun.nio.ch.EPollSelectorProvider";
    private static final List<String> SILENCE = List.of("-Xlog:perf+memops=error");
    private static final List<String> OWN_SILENCE = List.of("-Xlog:perf", "-Xlog:all", "-XX:Flags");
    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private QuickStart() {}

    /**
     * The command with these options; as it is where it is no command for our own virtual machine.
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
        StartCommand quicker = command;
        if (!isAnyChosen(OWN_COMPILING, command, environment)) {
            quicker = quicker.withJavaOptions(COMPILING);
        }
        if (Runtime.version().feature() <= NEWEST_WITH_MAPPING && !isAnyChosen(OWN_MAPPING, command, environment)) {
            quicker = quicker.withJavaOptions(MAPPING);
        }
        if (!isAnyChosen(OWN_SILENCE, command, environment)) {
            quicker = quicker.withJavaOptions(SILENCE);
        }
        if (isEpoll() && !isAnyChosen(List.of(SELECTOR), command, environment)) {
            quicker = quicker.withJavaOptions(List.of(SELECTOR.concat(EPOLL)));
        }
        return quicker;
    }

    /** To ask the platform for it costs the launcher the search that the ranks are spared, unless it was told too. */
    private static boolean isEpoll() {
        return EPOLL.equals(System.getProperty("java.nio.channels.spi.SelectorProvider"))
                || SelectorProvider.provider().getClass().getName().equals(EPOLL);
    }

    /** Whether the command, or a variable that virtual machines read, has an option that begins with one of these. */
    static boolean isAnyChosen(List<String> own, StartCommand command, Map<String, String> environment) {
        for (String option : own) {
            for (String word : command.words()) {
                if (word.startsWith(option)) {
                    return true;
                }
            }
            for (String variable : VARIABLES) {
                if (environment.getOrDefault(variable, "").contains(option)
                        || command.environment().getOrDefault(variable, "").contains(option)) {
                    return true;
                }
            }
        }
        return false;
    }
}
