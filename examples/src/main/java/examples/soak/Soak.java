package examples.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.ulfmj.command.CommandOption;
import org.ulfmj.command.GivenOptions;

/**
 * The driver: runs one job after the other and kills or stops as many ranks in each as the options say. Ends with 0 if
 * every run was right or only the help was asked for, with 1 if a run was not right, with 2 if the command line is
 * wrong. The files of a wrong run are kept in a directory, whose name is printed.
 */
public final class Soak {
    private static final int USAGE = 2;

    private Soak() {}

    public static void main(String[] args) throws IOException {
        System.exit(status(args, System.out, System.err));
    }

    static int status(String[] args, PrintStream out, PrintStream err) throws IOException {
        SoakOptions options;
        try {
            GivenOptions given = SoakOptions.OPTIONS.read(args);
            if (given.has(CommandOption.HELP.name())) {
                out.print(SoakOptions.OPTIONS.help());
                return 0;
            }
            options = SoakOptions.of(given);
        } catch (IllegalArgumentException e) {
            err.println("soak: " + e.getMessage() + "\n" + SoakOptions.OPTIONS.help());
            return USAGE;
        }
        return run(options, Path.of(System.getProperty("soak.home")), out) ? 0 : 1;
    }

    private static boolean run(SoakOptions options, Path home, PrintStream out) throws IOException {
        out.println("soak: " + options);
        Path kept = home.resolve("target/soak");
        Totals totals = new Totals();
        for (long i = 0; i < options.runs(); i++) {
            long seed = options.seed() + i;
            Path directory = kept.resolve(Long.toString(seed));
            delete(directory);
            SoakRun run = SoakRun.of(options, home, directory, seed);
            totals.add(run);
            out.println(run);
            if (run.isRight()) {
                delete(directory);
            } else {
                out.println("  kept: " + directory);
            }
        }
        out.println(totals);
        return totals.isAllRight();
    }

    private static void delete(Path directory) throws IOException {
        if (Files.notExists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
