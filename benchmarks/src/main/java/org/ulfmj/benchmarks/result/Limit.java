package org.ulfmj.benchmarks.result;

import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * The largest figure that we may have in a launch: factor × reference + constant. The reference is measured in the same
 * launch.
 *
 * @param reference {@code openmpi} for the faster Open MPI in C at the same place, {@code job NAME} for the job of that
 *     name at the same place, {@code place NAME} for our figure at another place, empty for none
 * @param quantile of our figures that is compared; that of the reference is always the median
 * @param everyLaunch whether every launch has to keep it, not only the best
 * @param source a remark: where the constant comes from if it was measured elsewhere, or the limit in other words; else
 *     empty
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

    /** Returns this limit, with the largest of our figures as the one that is compared. */
    public Limit ofWorst() {
        return new Limit(reference, factor, constant, 1, everyLaunch, source);
    }

    /** The same limit with a remark, such as the name of the source of its constant. */
    public Limit as(String name) {
        return new Limit(reference, factor, constant, quantile, everyLaunch, name);
    }

    /** The value of the limit in a launch; empty if its reference was not measured in that launch. */
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

    /** Whether the limit is a plain ratio to its reference. The ratio is then shown, and not the figure. */
    public boolean isRatio() {
        return !reference.isEmpty() && constant == 0;
    }

    public String text(String unit) {
        String of = reference.equals("openmpi") ? "Open MPI" : reference.replaceFirst("^(job|place) ", "");
        String sum = reference.isEmpty()
                ? MeasuredFigures.of(constant) + " " + unit
                : MeasuredFigures.factor(factor) + " × " + of
                        + (constant == 0 ? "" : " + " + MeasuredFigures.of(constant) + " " + unit);
        return (quantile == 1 ? "worst " : quantile > 0.9 ? "p99 " : "")
                + sum
                + (source.isEmpty() ? "" : " (" + source + ")")
                + (everyLaunch ? " in every launch" : "");
    }
}
