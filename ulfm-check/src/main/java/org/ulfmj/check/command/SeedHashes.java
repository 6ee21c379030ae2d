package org.ulfmj.check.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.Schedule;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeededRandom;

/**
 * Log hashes of many seeds, to compare one version of the sources with another: if every schedule logs the same events,
 * the lines are equal. One line per {@value #SEEDS_PER_LINE} seeds: the scenario, the range of seeds, and one hash over
 * the logs of all their schedules.
 */
public final class SeedHashes {
    static final int SEEDS_PER_LINE = 50;

    private SeedHashes() {}

    /** Returns the lines of one scenario; a last part of fewer than {@value #SEEDS_PER_LINE} seeds has a line too. */
    public static List<String> lines(Scenario scenario, SeedRange ranks, SeedRange seeds) {
        List<String> lines = new ArrayList<>();
        for (long first = seeds.first(); first <= seeds.last(); first += SEEDS_PER_LINE) {
            long last = Math.min(seeds.last(), first + SEEDS_PER_LINE - 1);
            long hash = 1;
            for (long seed = first; seed <= last; seed++) {
                Schedule schedule = Schedule.of(seed, List.of(scenario), ranks);
                hash = SeededRandom.mix(hash ^ schedule.run(EventLog.hashing()).logHash());
            }
            lines.add(String.format(Locale.ROOT, "%s %d..%d %016x", scenario.name(), first, last, hash));
        }
        return lines;
    }
}
