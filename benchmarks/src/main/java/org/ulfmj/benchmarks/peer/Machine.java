package org.ulfmj.benchmarks.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine and the software with which figures were measured.
 *
 * @param lines for a reader
 */
public record Machine(int cores, List<String> lines) {
    /** System property: the commit of the sources from which the classes were built. */
    public static final String COMMIT = "compare.commit";

    /** Separates the parts of a setup. */
    public static final String BETWEEN = "; ";

    public static Machine here(List<OtherMpis.Peer> peers) throws IOException {
        int cores = Runtime.getRuntime().availableProcessors();
        List<String> lines = new ArrayList<>();
        lines.add("CPU: " + processor() + ", " + cores + " cores");
        lines.add("Linux " + System.getProperty("os.version"));
        lines.add("JDK: " + Java.version());
        lines.add("commit " + System.getProperty(COMMIT, "unknown"));
        peers.forEach(peer -> lines.add(peer.label() + ": " + peer.version()));
        return new Machine(cores, List.copyOf(lines));
    }

    /** All lines in one line. */
    public String setup() {
        return String.join(BETWEEN, lines);
    }

    private static String processor() throws IOException {
        return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }
}
