package org.ulfmj.benchmarks.peer;

import java.nio.file.Path;

/** The Java installation that this process runs on. */
public final class Java {
    private Java() {}

    /** The path of a command of the Java installation that runs this program, as {@code java}. */
    public static String home(String command) {
        return Path.of(System.getProperty("java.home"), "bin", command).toString();
    }

    public static String version() {
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
    }
}
