package org.ulfmj.launch.process;

import java.util.Map;
import java.util.TreeMap;

/**
 * The locale of the user. {@code bin/mpiexec} starts the launcher itself in {@code C.UTF-8}, because a virtual machine
 * in the POSIX locale, which containers have, turns each byte of an argument that is not ASCII into a question mark.
 * The processes of the job get the user's locale. A locale other than POSIX whose encoding is not UTF-8 is left alone.
 */
public final class UserLocale {
    /**
     * The system property with the former value of LC_ALL, after an equals sign. It is {@code unset} if LC_ALL was not
     * set, and absent if LC_ALL was left alone.
     */
    public static final String PROPERTY = "ulfm.launcher.lc.all";

    private static final String VARIABLE = "LC_ALL";
    private static final String UNSET = "unset";

    private UserLocale() {}

    /**
     * Returns a copy of the environment in which the locale is the user's, not the one in which {@code bin/mpiexec} has
     * started the launcher.
     */
    public static Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        restore(environment);
        return environment;
    }

    /** Gives LC_ALL its former value. */
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
