package org.ulfmj.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The part of {@code performance.md} that is written by the command, between two marks; the rest is kept. */
final class Page {
    static final String BEGIN = "<!-- measured: written by benchmarks/compare --out -->";
    static final String END = "<!-- end of what is measured -->";

    private Page() {}

    /** Replaces what stands between the marks, or makes a page of nothing else. */
    static void write(Path file, String measured) throws IOException {
        String page = Files.exists(file) ? Files.readString(file) : "# Performance\n\n" + BEGIN + "\n" + END + "\n";
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(file + " lacks the lines \"" + BEGIN + "\" and \"" + END + "\"");
        }
        Files.writeString(
                file, page.substring(0, begin) + BEGIN + "\n\n" + measured.strip() + "\n\n" + page.substring(end));
    }
}
