package org.ulfmj.launch.command;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;

/**
 * The environment variables that the command line adds for processes, or removes. A launcher whose command line has no
 * option about the environment does not load this class.
 */
final class AddedEnvironment {
    /**
     * The beginning of the names of variables that are kept in the environment of processes even where no other
     * variable is.
     */
    private static final String OURS = "ULFM_";

    private final Map<String, String> environment;
    private final Map<String, String> added = new TreeMap<>();

    private AddedEnvironment(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Returns the added or changed environment variables by name; the value null means that the variable is removed.
     *
     * @param job the options of the whole job
     * @param block the options of one program; may be the same object as {@code job}
     * @param environment of the launcher
     */
    static Map<String, String> of(Given job, Given block, Map<String, String> environment) {
        AddedEnvironment all = new AddedEnvironment(environment);
        all.leaveOnly(
                job.has(OptionModel.JOB_ENVIRONMENT_NONE) || block.has(OptionModel.ENVIRONMENT_NONE),
                job.texts(OptionModel.JOB_ENVIRONMENT_LIST),
                block.texts(OptionModel.ENVIRONMENT_LIST));
        for (String name : block.texts(OptionModel.UNSET_ENVIRONMENT)) {
            all.added.put(name, null);
        }
        all.takePairs(job.texts(OptionModel.JOB_ENVIRONMENT_PAIR));
        for (String text : block.texts(OptionModel.ENVIRONMENT)) {
            all.take(text);
        }
        all.takePairs(block.texts(OptionModel.ENVIRONMENT_PAIR));
        return all.added;
    }

    /**
     * Removes each variable of the launcher's environment that neither list names, except those that begin with
     * {@link #OURS}. Where both lists are empty, nothing is removed, unless {@code isNothing} asks that no variable be
     * left.
     */
    private void leaveOnly(boolean isNothing, List<String> ofJob, List<String> ofBlock) {
        if (!isNothing && ofJob.isEmpty() && ofBlock.isEmpty()) {
            return;
        }
        for (String name : environment.keySet()) {
            if (!name.startsWith(OURS)) {
                added.put(name, null);
            }
        }
        for (List<String> list : List.of(ofJob, ofBlock)) {
            for (String names : list) {
                for (String name : names.split(",")) {
                    if (environment.containsKey(name)) {
                        added.put(name, environment.get(name));
                    }
                }
            }
        }
    }

    private void takePairs(List<String> pairs) {
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            added.put(pairs.get(i), pairs.get(i + 1));
        }
    }

    /**
     * Adds what an option {@code -x} says: {@code NAME=VALUE} sets a variable; {@code NAME}, or {@code NAME*} for all
     * names with this beginning, takes the launcher's own value. Throws if the launcher has no variable {@code NAME}.
     */
    private void take(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        if (equals < 0 && text.endsWith("*")) {
            String beginning = text.substring(0, text.length() - 1);
            for (Map.Entry<String, String> variable : environment.entrySet()) {
                if (variable.getKey().startsWith(beginning)) {
                    added.put(variable.getKey(), variable.getValue());
                }
            }
            return;
        }
        String value = equals < 0 ? environment.get(text) : text.substring(equals + 1);
        if (name.isEmpty() || value == null) {
            throw new UsageException("-x " + text + ": there is no such variable; write -x NAME=VALUE to set one");
        }
        added.put(name, value);
    }
}
