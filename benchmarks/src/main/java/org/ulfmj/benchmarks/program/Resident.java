package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory that this process has in use. */
final class Resident {
    private Resident() {}

    /** Prints {@code resident} and the kibibytes. */
    static void print() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                System.out.println("resident " + line.replaceAll("[^0-9]", ""));
            }
        }
    }
}
