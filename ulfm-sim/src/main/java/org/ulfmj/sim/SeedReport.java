package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The result of a run of many seeds. */
public final class SeedReport {
    /** A schedule that broke something. */
    public record Failure(Schedule schedule, Violation violation) {
        @Override
        public String toString() {
            return schedule + ": " + violation.getMessage() + System.lineSeparator() + "  run it again: "
                    + schedule.againCommand();
        }
    }

    private final List<Failure> failures = new ArrayList<>();
    private final Coverage coverage = new Coverage();
    private long schedules;
    private long events;
    private long virtualNs;
    private long tookNs;
    private double longest;
    private Schedule longestSchedule;

    void add(Schedule schedule, Outcome outcome) {
        if (outcome.boundUsed() > longest) {
            longest = outcome.boundUsed();
            longestSchedule = schedule;
        }
        add(outcome);
    }

    void add(Outcome outcome) {
        schedules++;
        events += outcome.events();
        virtualNs += outcome.virtualNs();
        coverage.add(outcome.covered());
    }

    void add(Failure failure) {
        failures.add(failure);
    }

    void add(SeedReport other) {
        failures.addAll(other.failures);
        failures.sort(Comparator.comparingLong(failure -> failure.schedule().seed()));
        coverage.add(other.coverage);
        schedules += other.schedules;
        events += other.events;
        virtualNs += other.virtualNs;
        if (other.longest > longest) {
            longest = other.longest;
            longestSchedule = other.longestSchedule;
        }
    }

    void tookNs(long tookNs) {
        this.tookNs = tookNs;
    }

    public List<Failure> failures() {
        return failures;
    }

    public Coverage coverage() {
        return coverage;
    }

    public long schedules() {
        return schedules;
    }

    /** Whether no schedule failed and every required event was seen. */
    public boolean isClean() {
        return failures.isEmpty() && coverage.missing().isEmpty();
    }

    /** Returns a few lines for a person: the figures and the coverage. */
    public String summary() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%d schedules in %.1f s (%.0f a second), %d events, %.1f h of virtual time, %d violations",
                schedules,
                tookNs / 1e9,
                schedules / (tookNs / 1e9),
                events,
                virtualNs / 3.6e12,
                failures.size()));
        if (longestSchedule != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "%nat most %.0f %% of a bound was needed: %s",
                    100 * longest,
                    longestSchedule.againCommand()));
        }
        text.append(System.lineSeparator()).append(coverage);
        if (!coverage.missing().isEmpty()) {
            text.append(System.lineSeparator()).append("never seen: ").append(coverage.missing());
        }
        return text.toString();
    }

    /** Returns the summary, and for each failed schedule its violation and the command that runs it again. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(summary());
        for (Failure failure : failures) {
            text.append(System.lineSeparator()).append(failure);
        }
        return text.toString();
    }
}
