package org.ulfmj.rabit.engine;

/** Runs many scenes, one after the other. Public, because the world of a mutant calls this class by its name. */
public final class ModelRun {
    private ModelRun() {}

    /**
     * Runs the scenes of the seeds from {@code from} to {@code to − 1}. Returns what went wrong with the first that
     * failed; null if none did.
     */
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
