package org.ulfmj.benchmarks.result;

import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * What a figure of ours may be at most: factor × reference + constant, all from the same launch.
 *
 * @param reference {@code openmpi} for the faster Open MPI in C at the same place, {@code job NAME} for a job of ours
 *     at the same place, {@code place NAME} for ourselves at another one, nothing for none
 * @param quantile of our figures that is compared; that of the reference is always the median
 * @param everyLaunch every launch has to keep it, not only the best
 * @param source where a constant comes from, if another process measured it; else nothing
 */
public record Limit(
        String reference, double factor, double constant, double quantile, boolean everyLaunch, String source) {
    private Limit(String reference, double factor, double constant) {
        this(reference, factor, constant, 0.5, false, "");
    }

    public static Limit openMpi(double factor) {
        return new Limit("openmpi", factor, 0);
    }

    public static Limit place(double factor, String place) {
        return new Limit("place " + place, factor, 0);
    }

    public static Limit job(double factor, double constant, String job) {
        return new Limit("job " + job, factor, constant);
    }

    public static Limit constant(double constant) {
        return new Limit("", 0, constant);
    }

    public Limit plus(double more) {
        return new Limit(reference, factor, constant + more, quantile, everyLaunch, source);
    }

    public Limit inEveryLaunch() {
        return new Limit(reference, factor, constant, quantile, true, source);
    }

    public Limit ofNinetyNine() {
        return new Limit(reference, factor, constant, 0.99, everyLaunch, source);
    }

    /** The same constant, with the name of what it was measured of. */
    public Limit as(String name) {
        return new Limit(reference, factor, constant, quantile, everyLaunch, name);
    }

    /** What the limit amounts to in a launch; nothing if what it refers to was not measured. */
    public OptionalDouble value(Results results, String place, int launch) {
        if (reference.isEmpty()) {
            return OptionalDouble.of(constant);
        }
        String[] words = reference.split(" ", 2);
        String where = words[0].equals("place") ? words[1] : place;
        Predicate<Result> who =
                switch (words[0]) {
                    case "openmpi" -> Result::isOpenMpi;
                    case "job" -> result -> result.job().equals(words[1]);
                    default -> Result::isOurs;
                };
        OptionalDouble of = results.fastest(where, launch, 0.5, who);
        return of.isEmpty() ? of : OptionalDouble.of(factor * of.getAsDouble() + constant);
    }

    /** Whether the reference makes a ratio, so that a reader wants that and not the figure. */
    public boolean isRatio() {
        return !reference.isEmpty() && constant == 0;
    }

    public String text(String unit) {
        String of = reference.equals("openmpi") ? "Open MPI" : reference.replaceFirst("^(job|place) ", "");
        String sum = reference.isEmpty()
                ? MeasuredFigures.of(constant) + " " + unit
                : MeasuredFigures.factor(factor) + " × " + of
                        + (constant == 0 ? "" : " + " + MeasuredFigures.of(constant) + " " + unit);
        return (quantile > 0.9 ? "p99 " : "")
                + sum
                + (source.isEmpty() ? "" : " (" + source + ")")
                + (everyLaunch ? " in every launch" : "");
    }
}
