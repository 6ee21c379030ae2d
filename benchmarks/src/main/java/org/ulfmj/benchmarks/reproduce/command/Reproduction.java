package org.ulfmj.benchmarks.reproduce.command;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;
import org.ulfmj.sim.Stopwatch;

/**
 * The command {@code benchmarks/reproduce}. It runs the experiments, two at a time where there are cores for two. It
 * prints the rows of each, in the order in which the experiments are registered or named with {@code --only}, then the
 * verdict over all. With {@code --out} it also writes the figures with the numbers that they are drawn from, and a
 * table of the rows.
 */
public final class Reproduction {
    /** The most experiments that run at once: two, or one where there is only one core. */
    private static final int AT_A_TIME = Math.min(2, Runtime.getRuntime().availableProcessors());

    private final PrintStream out;

    Reproduction(PrintStream out) {
        this.out = out;
    }

    /**
     * Exit status 0 if every judged result was reproduced and every negative control was rejected, or if help was asked
     * for; 1 if not; 2 for a wrong command line.
     */
    public static void main(String[] args) {
        System.exit(status(args, System.out, System.err));
    }

    static int status(String[] args, PrintStream out, PrintStream err) {
        try {
            ReproduceOptions request = ReproduceOptions.parse(args);
            if (request.help()) {
                out.print(ReproduceOptions.OPTIONS.help());
                return 0;
            }
            return new Reproduction(out).run(request, Experiments.named(request.only()));
        } catch (IllegalArgumentException e) {
            err.println("reproduce: " + e.getMessage());
            return 2;
        }
    }

    int run(ReproduceOptions request, List<Experiment> experiments) {
        OutputFiles files = new OutputFiles(request.out());
        Setting setting = request.setting();
        String chance = "seed " + setting.seed() + (setting.quick() ? ", quick" : "");
        // The files name no commit, so that the checked-in files equal those that the sources beside them give.
        MarkdownTable table = new MarkdownTable(chance);
        Stopwatch all = Stopwatch.start();
        int unexpected = 0;
        out.println(chance + ", commit " + Commit.name());
        ExecutorService workers = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            Deque<CompletableFuture<Measured>> runs = new ArrayDeque<>();
            // The experiments begin from the last one, as long ones are among the last that are registered.
            for (int i = experiments.size() - 1; i >= 0; i--) {
                Experiment experiment = experiments.get(i);
                runs.addFirst(CompletableFuture.supplyAsync(() -> Measured.of(experiment, setting), workers));
            }
            for (CompletableFuture<Measured> run : runs) {
                Measured measured = run.join();
                Experiment experiment = measured.experiment();
                Findings findings = measured.findings();
                out.printf("%n%s: %s%n", experiment.name(), experiment.title());
                print(findings);
                out.printf("  %.1f s%n", measured.seconds());
                table.add(experiment, findings);
                findings.charts().forEach(files::write);
                unexpected += findings.areAsExpected() ? 0 : 1;
            }
        } finally {
            workers.shutdownNow();
        }
        files.writeTable(table.toString());
        out.printf("%n%s after %.0f s%n", verdict(unexpected), all.seconds());
        return unexpected == 0 ? 0 : 1;
    }

    /** One experiment with its findings. */
    private record Measured(Experiment experiment, Findings findings, double seconds) {
        static Measured of(Experiment experiment, Setting setting) {
            Stopwatch watch = Stopwatch.start();
            Findings findings = new Findings();
            experiment.run(setting, findings);
            return new Measured(experiment, findings, watch.seconds());
        }
    }

    private void print(Findings findings) {
        for (Row row : findings.rows()) {
            out.printf("  %-26s %s%n", row.verdict().label(), row.what());
            printPart("published", row.published());
            printPart("accepted if", row.acceptedIf());
            printPart("measured", row.measured());
        }
        findings.notes().forEach(note -> out.println("  note: " + note));
    }

    private void printPart(String name, String text) {
        if (!text.isEmpty()) {
            out.printf("  %26s %-12s %s%n", "", name, text);
        }
    }

    private static String verdict(int unexpected) {
        return unexpected == 0
                ? "PASS: every result is there, every negative control was rejected"
                : "FAIL: not as expected: " + unexpected + (unexpected == 1 ? " experiment" : " experiments");
    }
}
