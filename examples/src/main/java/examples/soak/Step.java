package examples.soak;

import java.util.SplittableRandom;

/**
 * One step of the program, the same at all ranks. It determines the calls that they make and the content of the
 * messages.
 */
final class Step {
    /** The number of tags that one step may use. */
    static final int TAGS = 64;

    private static final int PERIOD = 1 << 20;

    private final long seed;
    private final long number;
    private final SplittableRandom random;

    /**
     * @param seed of the run and the generation
     * @param number of the step in the generation
     */
    Step(long seed, long number) {
        this.seed = seed;
        this.number = number;
        random = new SplittableRandom(Mix.of(seed, number));
    }

    /** Draws a random number below a bound. Ranks that have made the same draws in this step get the same number. */
    int draw(int bound) {
        return random.nextInt(bound);
    }

    boolean drawBoolean() {
        return random.nextBoolean();
    }

    /**
     * The first tag of this step. It tells the step's messages from those of the steps before and after, whose senders
     * may be ahead.
     */
    int tag() {
        return (int) (number % PERIOD) * TAGS;
    }

    /** Returns the number from which one piece of content of this step is computed. */
    long key(Scope scope, long piece) {
        return Mix.of(Mix.of(seed, number), scope.number, piece);
    }

    @Override
    public String toString() {
        return "step " + number;
    }
}
