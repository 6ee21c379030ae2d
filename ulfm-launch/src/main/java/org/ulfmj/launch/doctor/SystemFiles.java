package org.ulfmj.launch.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads files in which the system tells about itself, such as those in {@code /proc}. Tests put a folder in place of
 * the root directory.
 */
final class SystemFiles {
    private final Path root;

    SystemFiles(Path root) {
        this.root = root;
    }

    Path path(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    /** The text of a file without white space around it; null if it cannot be read. */
    String read(String absolute) {
        try {
            return Files.readString(path(absolute)).trim();
        } catch (IOException e) {
            return null;
        }
    }

    /** The rest of the first line in a file that has this beginning; null if there is no such line. */
    String lineOf(String absolute, String beginning) {
        String text = read(absolute);
        for (String line : text == null ? List.<String>of() : text.lines().toList()) {
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length()).trim();
            }
        }
        return null;
    }
}
