package org.ulfmj.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.ulfmj.benchmarks.peer.Machine;
import org.ulfmj.benchmarks.peer.OtherMpis;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Store;
import org.ulfmj.protocol.NearestName;

/** The command {@code benchmarks/compare}: our jobs and those of others, side by side in one run. */
public final class Compare {
    /** System property: the project's folder. */
    static final String HOME = "compare.home";

    private Compare() {}

    /**
     * Exit status 2 for a wrong command line, 1 if a whole measurement failed, if there was something to measure or to
     * render but there are no results, if a file could not be read or written, or if a command that is needed before
     * the measurements failed, otherwise 0. A single job that fails in a {@link GroupRun} is only left out.
     */
    public static void main(String[] args) throws InterruptedException {
        PrintStream out =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.exit(status(args, out, System.err));
    }

    static int status(String[] args, PrintStream out, PrintStream err) throws InterruptedException {
        try {
            return run(CompareSettings.parse(args), out);
        } catch (IllegalArgumentException e) {
            err.println("compare: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            err.println("compare: " + e.getMessage());
            return 1;
        }
    }

    private static int run(CompareSettings settings, PrintStream out) throws IOException, InterruptedException {
        if (settings.help()) {
            out.print(CompareSettings.OPTIONS.help());
            return 0;
        }
        Path home = Path.of(System.getProperty(HOME, ".")).toAbsolutePath().normalize();
        String openMpi = System.getenv("OMPI");
        OtherMpis peers = new OtherMpis(home, settings.peers(), openMpi == null ? null : Path.of(openMpi), out);
        List<Measurement> measurements = new RunPlan(settings, new Ours(home), peers.found(), out).measurements();
        if (settings.list()) {
            peers.found().forEach(peer -> out.println(peer.label() + ": " + peer.version()));
            measurements.forEach(one -> out.println(one.title() + ": " + String.join(" ", one.names())));
            return 0;
        }
        if (measurements.isEmpty()) {
            List<String> names = new RunPlan(settings.ofAll(), new Ours(home), peers.found(), out)
                    .measurements().stream()
                            .flatMap(one -> one.names().stream())
                            .distinct()
                            .toList();
            throw new IllegalArgumentException("--only " + String.join(",", settings.only())
                    + ": names nothing that is measured with these --np"
                    + NearestName.question(settings.only().get(0), names) + " (see --list)");
        }
        Machine machine = Machine.here(peers.found());
        machine.lines().forEach(out::println);
        Results results = new Results();
        int failed = 0;
        int launches = settings.render() ? 0 : settings.launches();
        for (int launch = 1; launch <= launches; launch++) {
            for (Measurement measurement : measurements) {
                if (launch > 1 && measurement.isOnce()) {
                    continue;
                }
                try {
                    List<Result> some = measurement.run(launch);
                    if (!(measurement instanceof GroupRun)) {
                        ProgressLine.report(some, out);
                    }
                    results.add(some.stream()
                            .map(result -> result.with(machine.setup()))
                            .toList());
                } catch (IOException e) {
                    failed++;
                    out.println(
                            "  " + measurement.title() + " is left out of launch " + launch + ": " + e.getMessage());
                }
            }
        }
        new Comparison(results, machine.cores()).print(out);
        if (settings.out() != null) {
            Path store = ConsoleReport.store(settings.out());
            Store.readInto(results, store);
            Store.write(results, store);
            // The page is made from the file and not from the figures in memory, which have more digits: so a page that
            // is rendered again from the file is the same.
            Results stored = new Results();
            Store.readInto(stored, store);
            new ConsoleReport(settings.out(), stored, machine).write();
            out.println("written: " + ConsoleReport.page(settings.out()));
        }
        return failed > 0 || results.all().isEmpty() ? 1 : 0;
    }
}
