package examples.boost;

/**
 * Where a feature may be split: {@link #BINS} bins of equal width between its least and its greatest value in the whole
 * table, so that all who know these two know the same cuts.
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

    /** A mass goes left of the cut behind {@code bin}, 0 to {@link #BINS} − 2, if its measure is below this. */
    double cut(int feature, int bin) {
        return least[feature] + width[feature] * (bin + 1);
    }

    /**
     * The bin of each measure, mass by mass: left of the cut behind a bin are the measures of that bin and those
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
