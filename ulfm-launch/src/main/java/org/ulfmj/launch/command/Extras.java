package org.ulfmj.launch.command;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;
import org.ulfmj.protocol.NearestName;

/**
 * The options that few command lines give. A launcher whose command line gives none of them does not load this class.
 *
 * @param hasTorchNames whether processes get the variables that programs for {@code torchrun} read
 * @param signals the names, without SIG, of the signals that the launcher passes on to the processes
 * @param reportsState whether the state of each process is reported when the time of {@code --timeout} has passed
 * @param dumpsAllStacks whether a job that is ended by {@code --timeout} or as hung has also those virtual machines
 *     print their stacks that scripts on the launcher's host have started
 * @param showsPlanOnly whether the plan of the job is shown and nothing is started
 * @param injecting the files and checks of fault injection, besides the faults themselves; null for none
 */
public record Extras(
        boolean hasTorchNames,
        List<String> signals,
        boolean reportsState,
        boolean dumpsAllStacks,
        boolean showsPlanOnly,
        InjectOptions injecting) {
    /**
     * The signals that the launcher passes on to the processes unless the user writes {@code none}; signals that the
     * user names are added to them.
     */
    public static final List<String> USUAL_SIGNALS = List.of("USR1", "USR2");

    /**
     * The signals that can be passed on: the launcher's virtual machine can receive them, and the launcher itself does
     * not use them.
     */
    private static final List<String> POSSIBLE_SIGNALS =
            List.of("ALRM", "IO", "PROF", "PWR", "URG", "USR1", "USR2", "VTALRM", "WINCH", "XCPU");

    static Extras of(Given given, int size) {
        String names = given.text(OptionModel.ENVIRONMENT_NAMES);
        if (names != null && !names.equals("torch")) {
            throw new UsageException(
                    OptionModel.ENVIRONMENT_NAMES + ": '" + names + "' is not allowed; allowed: torch");
        }
        return new Extras(
                names != null,
                signals(given.text(OptionModel.FORWARD_SIGNALS)),
                given.has(OptionModel.REPORT_STATE),
                given.has(OptionModel.STACK_TRACES),
                given.has(OptionModel.DO_NOT_LAUNCH),
                InjectOptions.of(given, size));
    }

    private static List<String> signals(String list) {
        if (list == null) {
            return USUAL_SIGNALS;
        }
        if (list.equals("none")) {
            return List.of();
        }
        List<String> signals = new ArrayList<>(USUAL_SIGNALS);
        for (String word : list.split(",")) {
            String name = word.startsWith("SIG") ? word.substring("SIG".length()) : word;
            if (!POSSIBLE_SIGNALS.contains(name)) {
                throw new UsageException(OptionModel.FORWARD_SIGNALS + ": '" + word + "' is not allowed"
                        + NearestName.question(name, POSSIBLE_SIGNALS) + "; allowed: none | "
                        + String.join(" ", POSSIBLE_SIGNALS) + ", several with commas");
            }
            if (!signals.contains(name)) {
                signals.add(name);
            }
        }
        return signals;
    }
}
