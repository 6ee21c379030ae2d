package org.ulfmj.rabit.engine;

/** Many scenes in a row; public for the world of a mutant, which is entered by name. */
public final class ModelRun {
    private ModelRun() {}

    /** Runs the seeds from one up to another. Returns what went wrong with the first that failed; null if none did. */
    public static String firstViolation(Long from, Long to) {
        for (long seed = from; seed < to; seed++) {
            String violation = ModelWorld.violation(Scene.draw(seed));
            if (violation != null) {
                return "seed " + seed + ": " + violation;
            }
        }
        return null;
    }
}
