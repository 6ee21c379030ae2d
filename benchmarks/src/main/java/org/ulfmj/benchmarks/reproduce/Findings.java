package org.ulfmj.benchmarks.reproduce;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ulfmj.benchmarks.chart.Chart;

/** The findings of an experiment: rows for the table, charts for the figures, and the constants it used. */
public final class Findings {
    private final List<Row> rows = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    public void add(Row row) {
        rows.add(row);
    }

    public void add(Chart chart) {
        charts.add(chart);
    }

    /** Adds a constant or condition that belongs to the figures, to be printed below the table. */
    public void note(String note) {
        notes.add(note);
    }

    public List<Row> rows() {
        return Collections.unmodifiableList(rows);
    }

    public List<Chart> charts() {
        return Collections.unmodifiableList(charts);
    }

    public List<String> notes() {
        return Collections.unmodifiableList(notes);
    }

    /** Whether every result in a row was reproduced, and every control in a row was rejected. */
    public boolean areAsExpected() {
        return rows.stream().allMatch(row -> row.verdict().isAsExpected());
    }
}
