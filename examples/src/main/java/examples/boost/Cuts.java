package examples.boost;

/**
 * The places where a feature may be split: between {@link #BINS} bins of equal width, from the least to the greatest
 * value of the feature in the whole table. All ranks that know these two values know the same cuts.
 */
public final class Cuts {
    public static final int BINS = 32;

    private final double[] least;
    private final double[] width;

    /**
     * @param least value of each feature
     * @param greatest value of each feature
     */
    public Cuts(double[] least, double[] greatest) {
        this.least = least.clone();
        this.width = new double[least.length];
        for (int feature = 0; feature < width.length; feature++) {
            width[feature] = (greatest[feature] - least[feature]) / BINS;
        }
    }

    /**
     * The cut after {@code bin}, from 0 to {@link #BINS} − 2. A mass whose measure is below the cut goes to the left.
     */
    double cut(int feature, int bin) {
        return least[feature] + width[feature] * (bin + 1);
    }

    /**
     * The bin of each measure, mass by mass. A measure is left of the cut after a bin if it is in that bin or in one
     * before.
     */
    byte[] binsOf(Masses masses) {
        byte[] bins = new byte[masses.count() * Masses.FEATURES];
        for (int mass = 0; mass < masses.count(); mass++) {
            for (int feature = 0; feature < Masses.FEATURES; feature++) {
                bins[mass * Masses.FEATURES + feature] = (byte) bin(feature, masses.measure(mass, feature));
            }
        }
        return bins;
    }

    private int bin(int feature, double measure) {
        int bin = 0;
        while (bin < BINS - 1 && measure >= cut(feature, bin)) {
            bin++;
        }
        return bin;
    }
}
