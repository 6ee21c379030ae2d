package org.ulfmj.check.mutant;

import org.ulfmj.check.exhaustive.Exhaustive;
import org.ulfmj.check.exhaustive.link.LinkExhaustive;
import org.ulfmj.check.exhaustive.rounds.RoundsExhaustive;
import org.ulfmj.check.script.Witnesses;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.Schedule;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;
import org.ulfmj.sim.Violation;
import org.ulfmj.sim.mutant.MutantLoader;

/** Looks for a violation of an invariant by a mutant. */
public final class Hunt {
    private Hunt() {}

    /**
     * The result of a hunt.
     *
     * @param tried number of schedules or states that were tried
     * @param broken the violation; empty if there was none
     */
    public record Catch(long tried, String broken) {
        boolean isCaught() {
            return !broken.isEmpty();
        }
    }

    /** Looks for a violation in the kind of place that the trial names: seeds, a seed, a script or a small world. */
    public static Catch hunt(Trial trial) {
        String found = (String) new MutantLoader(trial.mutant())
                .call(
                        Hunt.class.getName(),
                        "huntHere",
                        trial.where().name(),
                        trial.place(),
                        trial.ranks(),
                        Long.valueOf(trial.within()));
        int end = found.indexOf(' ');
        return new Catch(Long.parseLong(found.substring(0, end)), found.substring(end + 1));
    }

    /**
     * Runs schedules of scenarios, with the classes of the mutant's loader.
     *
     * @return the number of schedules and a failure, as text; empty if no seed failed
     */
    public static String hunt(MutantLoader mutant, String scenarios, String ranks, String seeds) {
        return (String) mutant.call(Hunt.class.getName(), "huntHere", scenarios, ranks, seeds);
    }

    /** As {@link #hunt(MutantLoader, String, String, String)}, with the classes of this class's loader. */
    public static String huntHere(String scenarios, String ranks, String seeds) throws InterruptedException {
        SeedReport report = new SeedRun(
                        Scenarios.named(scenarios), SeedRange.parse("ranks", ranks), SeedRange.parse("seeds", seeds), 1)
                .run(2);
        return report.failures().isEmpty()
                ? ""
                : report.schedules() + " schedules: " + report.failures().get(0);
    }

    /**
     * Runs the mutant in one schedule, and returns the message of the violation; empty if there is none.
     *
     * @param schedule as {@link Schedule#parse} reads it
     */
    public static String brokenIn(MutantLoader mutant, String schedule) {
        return (String) mutant.call(Hunt.class.getName(), "brokenIn", schedule);
    }

    /** As {@link #brokenIn(MutantLoader, String)}, with the classes of this class's loader. */
    public static String brokenIn(String schedule) {
        Violation violation = Schedule.parse(schedule).run(EventLog.hashing()).violation();
        return violation == null ? "" : violation.getMessage();
    }

    /**
     * Returns, as lines, a schedule by which the mutant of a trial in a small world breaks a property; empty if it
     * breaks none. If the property is that every schedule ends, the schedule may be left out.
     */
    static String story(Trial trial) {
        return (String) new MutantLoader(trial.mutant()).call(Hunt.class.getName(), "storyHere", trial.place());
    }

    /** The part of {@link #story} that runs with the classes of this class's loader. */
    public static String storyHere(String world) {
        if (RoundsExhaustive.isWorld(world)) {
            return RoundsExhaustive.story(world);
        }
        return LinkExhaustive.isWorld(world) ? LinkExhaustive.story(world) : Exhaustive.story(world);
    }

    /**
     * The part of {@link #hunt(Trial)} that runs with the classes of this class's loader. Returns the number of
     * schedules or states tried, a space, and the violation; nothing after the space if there is none.
     */
    public static String huntHere(String where, String place, String ranks, Long within) throws InterruptedException {
        switch (Trial.Where.valueOf(where)) {
            case SEED:
                return "1 " + brokenIn(place);
            case SCRIPT:
                return "1 " + Witnesses.run(place);
            case WORLD:
                if (RoundsExhaustive.isWorld(place)) {
                    return RoundsExhaustive.hunt(place);
                }
                return LinkExhaustive.isWorld(place) ? LinkExhaustive.hunt(place) : Exhaustive.hunt(place);
            default:
                SeedReport report = new SeedRun(
                                Scenarios.named(place), SeedRange.parse("--ranks", ranks), new SeedRange(1, within), 1)
                        .run(1);
                return report.schedules()
                        + " "
                        + (report.failures().isEmpty()
                                ? ""
                                : report.failures().get(0).violation().getMessage());
        }
    }
}
