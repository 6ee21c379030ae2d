package org.ulfmj.sim.reproduce;

import java.io.PrintStream;
import java.util.List;
import org.ulfmj.sim.Stopwatch;

/**
 * The command {@code reproduce}: runs the experiments one after the other, prints each one's rows as they come, then the
 * verdict over all, and writes the figures with the numbers they are drawn from.
 */
public final class Reproduction {
    private final PrintStream out;

    Reproduction(PrintStream out) {
        this.out = out;
    }

    /** Exit status 0 if every result is there and every negative control was rejected, else 1. */
    public static int command(String... args) {
        Request request = Request.parse(args);
        return new Reproduction(System.out).run(request, Experiments.named(request.only()));
    }

    int run(Request request, List<Experiment> experiments) {
        OutputFiles files = new OutputFiles(request.out());
        Setting setting = request.setting();
        String chance = "seed " + setting.seed() + (setting.quick() ? ", quick" : "");
        // The files name no commit, so that those that are checked in are what the sources beside them give.
        MarkdownTable table = new MarkdownTable(chance);
        Stopwatch all = Stopwatch.start();
        int unexpected = 0;
        out.println(chance + ", commit " + Commit.name());
        for (Experiment experiment : experiments) {
            out.printf("%n%s: %s%n", experiment.name(), experiment.title());
            Stopwatch one = Stopwatch.start();
            Findings findings = new Findings();
            experiment.run(setting, findings);
            print(findings);
            out.printf("  %.1f s%n", one.seconds());
            table.add(experiment, findings);
            findings.charts().forEach(files::write);
            unexpected += findings.areAsExpected() ? 0 : 1;
        }
        files.writeTable(table.toString());
        out.printf("%n%s after %.0f s%n", verdict(unexpected), all.seconds());
        return unexpected == 0 ? 0 : 1;
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
