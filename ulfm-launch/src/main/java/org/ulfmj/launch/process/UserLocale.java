package org.ulfmj.launch.process;

import java.util.Map;
import java.util.TreeMap;

/**
 * The locale of the user. {@code bin/mpiexec} starts the launcher itself in {@code C.UTF-8}, because a virtual machine
 * in the POSIX locale, which containers have, turns each byte of an argument that is not ASCII into a question mark.
 * The processes of the job have what the user has. A locale whose encoding is not UTF-8 is left alone.
 */
public final class UserLocale {
    /** What LC_ALL was, after an equals sign; {@code unset} if it was not set; absent if it was left alone. */
    public static final String PROPERTY = "ulfm.launcher.lc.all";

    private static final String VARIABLE = "LC_ALL";
    private static final String UNSET = "unset";

    private UserLocale() {}

    /** The environment as the user has it. A copy. */
    public static Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        restore(environment);
        return environment;
    }

    /** Makes the variable what it was before. */
    public static void restore(Map<String, String> environment) {
        restore(environment, System.getProperty(PROPERTY));
    }

    public static void restore(Map<String, String> environment, String was) {
        if (UNSET.equals(was)) {
            environment.remove(VARIABLE);
        } else if (was != null) {
            environment.put(VARIABLE, was.substring(1));
        }
    }
}
