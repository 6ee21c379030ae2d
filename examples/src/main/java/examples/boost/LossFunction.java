package examples.boost;

/** The loss that the trees together are to make small. The margin of a mass is the sum of the trees' values for it. */
public enum LossFunction {
    /** Half the square of the difference between margin and label. */
    SQUARED {
        @Override
        double gradient(double margin, double label) {
            return margin - label;
        }

        @Override
        double hessian(double margin) {
            return 1;
        }

        @Override
        boolean isBenign(double margin) {
            return margin > 0.5;
        }
    },
    /** The logistic loss: the margin is the logarithm of the odds. */
    LOGISTIC {
        @Override
        double gradient(double margin, double label) {
            return probability(margin) - label;
        }

        @Override
        double hessian(double margin) {
            double probability = probability(margin);
            return probability * (1 - probability);
        }

        @Override
        boolean isBenign(double margin) {
            return margin > 0;
        }
    };

    /**
     * The loss function with this name: {@code squared} or {@code logistic}, in capital or small letters.
     *
     * @throws IllegalArgumentException if it is another name
     */
    public static LossFunction named(String name) {
        for (LossFunction loss : values()) {
            if (loss.name().equalsIgnoreCase(name)) {
                return loss;
            }
        }
        throw new IllegalArgumentException("loss is '" + name + "', it must be squared or logistic");
    }

    abstract double gradient(double margin, double label);

    abstract double hessian(double margin);

    abstract boolean isBenign(double margin);

    /**
     * The probability of a margin, by StrictMath: a model that is to be compared needs the same bits on every machine
     * and after every compilation.
     */
    private static double probability(double margin) {
        return 1 / (1 + StrictMath.exp(-margin));
    }
}
