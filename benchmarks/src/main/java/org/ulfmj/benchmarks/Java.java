package org.ulfmj.benchmarks;

import java.nio.file.Path;

/** The Java installation that this process runs on, and that all Java jobs run on. */
final class Java {
    private Java() {}

    /** A command of it. */
    static String home(String command) {
        return Path.of(System.getProperty("java.home"), "bin", command).toString();
    }

    static String version() {
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
    }
}
