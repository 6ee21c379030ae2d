package org.ulfmj.launch.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files in which the system tells about itself. Tests have a separate folder for the root. */
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

    /** The rest of the first line of a file that begins with some words; null if there is none. */
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
