package org.ulfmj.benchmarks.reproduce.command;

import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.Row;

/**
 * All rows as a Markdown table for a page; above it the seed and the setting from which they follow, and below it the
 * notes of the experiments.
 */
final class MarkdownTable {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder notes = new StringBuilder("\n");

    MarkdownTable(String origin) {
        text.append(origin).append(".\n\n");
        text.append(
                "| experiment | what | published | accepted if | measured | verdict |\n|---|---|---|---|---|---|\n");
    }

    void add(Experiment experiment, Findings findings) {
        for (Row row : findings.rows()) {
            text.append("| `").append(experiment.name()).append("` ");
            for (String cell : new String[] {
                row.what(),
                row.published(),
                row.acceptedIf(),
                row.measured(),
                row.verdict().label()
            }) {
                text.append("| ").append(cell.replace("|", "\\|")).append(' ');
            }
            text.append("|\n");
        }
        findings.notes().forEach(note -> notes.append("* `")
                .append(experiment.name())
                .append("`: ")
                .append(note)
                .append('\n'));
    }

    @Override
    public String toString() {
        return text.toString() + notes;
    }
}
