package org.ulfmj.benchmarks.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * All figures as a file of comma-separated values, one line per job, place and launch. The file is read again, so that
 * some places can be measured anew while the others stay. A line names its setup by number; the setups stand at the
 * beginning of the file, a line each.
 */
public final class Store {
    private static final String SETUP = "# ";
    private static final String HEAD =
            "group,ranks,name,title,launch,job,foreign,steal,setup,least,median,p99,most,figures";

    private Store() {}

    public static void write(Results results, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        List<String> setups =
                results.all().stream().map(Result::setup).distinct().toList();
        List<String> lines = new ArrayList<>();
        setups.forEach(setup -> lines.add(SETUP + setup));
        lines.add(HEAD);
        results.all().forEach(result -> lines.add(line(result, setups.indexOf(result.setup()))));
        Files.write(file, lines);
    }

    /** Adds the results of the file for places of which {@code results} has none. Adds none if there is no file. */
    public static void readInto(Results results, Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        List<String> setups = new ArrayList<>();
        List<Result> kept = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(SETUP)) {
                setups.add(line.substring(SETUP.length()));
            } else if (!line.equals(HEAD)) {
                Result result = parse(line, setups);
                if (results.at(result.place()).isEmpty()) {
                    kept.add(result);
                }
            }
        }
        results.add(kept);
    }

    private static String line(Result result, int setup) {
        return String.join(
                ",",
                result.group(),
                Integer.toString(result.ranks()),
                quoted(result.name()),
                quoted(result.title()),
                Integer.toString(result.launch()),
                quoted(result.job()),
                number(result.foreign()),
                number(result.steal()),
                Integer.toString(setup),
                number(result.minimum()),
                number(result.median()),
                number(result.quantile(0.99)),
                number(result.quantile(1)),
                Arrays.stream(result.micros()).mapToObj(Store::number).collect(Collectors.joining(" ")));
    }

    private static Result parse(String line, List<String> setups) {
        List<String> fields = fields(line);
        return new Result(
                fields.get(0),
                Integer.parseInt(fields.get(1)),
                fields.get(2),
                fields.get(3),
                Integer.parseInt(fields.get(4)),
                fields.get(5),
                Arrays.stream(fields.get(13).split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray(),
                Double.parseDouble(fields.get(6)),
                Double.parseDouble(fields.get(7)),
                setups.get(Integer.parseInt(fields.get(8))));
    }

    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean isQuoted = false;
        for (char c : line.toCharArray()) {
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == ',' && !isQuoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }

    private static String quoted(String text) {
        return text.contains(",") ? '"' + text + '"' : text;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }
}
