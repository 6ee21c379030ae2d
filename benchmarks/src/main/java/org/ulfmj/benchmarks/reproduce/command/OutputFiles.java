package org.ulfmj.benchmarks.reproduce.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ulfmj.benchmarks.chart.Chart;
import org.ulfmj.benchmarks.chart.SvgFigure;

/** The files of the figures, each with a file of its numbers, and of the table. */
final class OutputFiles {
    private final Path directory;

    /** @param directory made if it does not exist; null to write no files */
    OutputFiles(String directory) {
        this.directory = directory == null ? null : Path.of(directory);
    }

    void write(Chart chart) {
        write(chart.fileName() + ".svg", new SvgFigure(chart).toString());
        write(chart.fileName() + ".csv", chart.toCsv());
    }

    void writeTable(String markdown) {
        write("results.md", markdown);
    }

    private void write(String name, String text) {
        if (directory == null) {
            return;
        }
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + directory.resolve(name) + ": " + e, e);
        }
    }
}
