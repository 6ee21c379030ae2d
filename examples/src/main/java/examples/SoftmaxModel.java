package examples;

import java.util.Arrays;

/**
 * Softmax regression: one row of weights per feature, one column per digit. The weights start at zero. StrictMath gives
 * the same bits on every processor, where Math may differ in the last bit.
 */
final class SoftmaxModel {
    static final int WEIGHTS = DigitImages.FEATURES * DigitImages.CLASSES;

    /**
     * The factor by which figures become whole numbers. A figure of one image is from -1 to 1 (its loss is below
     * 1,000), so sums over 2^12 images fit in a long.
     */
    private static final double UNIT = 1L << 40;

    final double[] weights = new double[WEIGHTS];

    /**
     * Adds the figures of these images to {@code sums}: first the {@link #WEIGHTS} numbers of the gradient of the
     * cross-entropy, and then the loss.
     */
    void addGradient(DigitImages images, double[] sums) {
        double[] probabilities = new double[DigitImages.CLASSES];
        for (int image = 0; image < images.count(); image++) {
            addGradient(images, image, probabilities, sums);
        }
    }

    /** Adds the figures of one image. */
    private void addGradient(DigitImages images, int image, double[] probabilities, double[] sums) {
        predict(images, image, probabilities);
        int digit = images.digit(image);
        sums[WEIGHTS] -= StrictMath.log(Math.max(probabilities[digit], Double.MIN_NORMAL));
        probabilities[digit] -= 1;
        for (int feature = 0; feature < DigitImages.FEATURES; feature++) {
            double value = images.feature(image, feature);
            for (int column = 0; column < DigitImages.CLASSES; column++) {
                sums[feature * DigitImages.CLASSES + column] += value * probabilities[column];
            }
        }
    }

    /**
     * As {@link #addGradient(DigitImages, double[])} in whole numbers: each figure of an image is rounded to a multiple
     * of 1 / {@link #UNIT}. Sums of whole numbers do not depend on their order, so the sum over all images has the same
     * bits however the images are divided. The rounding changes each figure of the sum by at most half such a multiple
     * per image.
     */
    void addGradient(DigitImages images, long[] sums) {
        double[] probabilities = new double[DigitImages.CLASSES];
        double[] figures = new double[WEIGHTS + 1];
        for (int image = 0; image < images.count(); image++) {
            Arrays.fill(figures, 0);
            addGradient(images, image, probabilities, figures);
            for (int i = 0; i < figures.length; i++) {
                sums[i] += Math.round(figures[i] * UNIT);
            }
        }
    }

    /**
     * One step of steepest descent, with the sums of {@link #addGradient(DigitImages, long[])} over all training
     * images.
     */
    void step(long[] gradientSums) {
        for (int i = 0; i < WEIGHTS; i++) {
            weights[i] -= gradientSums[i] / UNIT / DigitImages.TRAINING_COUNT;
        }
    }

    /** Another checksum means other weights. */
    int checksum() {
        return Arrays.hashCode(weights);
    }

    /** One step of steepest descent along the mean gradient over {@code count} images. */
    void step(double[] gradientSums, int count, double rate) {
        for (int i = 0; i < WEIGHTS; i++) {
            weights[i] -= rate * gradientSums[i] / count;
        }
    }

    /** How many of the images the model recognises. */
    int countRecognised(DigitImages images) {
        double[] probabilities = new double[DigitImages.CLASSES];
        int recognised = 0;
        for (int image = 0; image < images.count(); image++) {
            predict(images, image, probabilities);
            int best = 0;
            for (int column = 1; column < DigitImages.CLASSES; column++) {
                if (probabilities[column] > probabilities[best]) {
                    best = column;
                }
            }
            recognised += best == images.digit(image) ? 1 : 0;
        }
        return recognised;
    }

    private void predict(DigitImages images, int image, double[] probabilities) {
        double highest = Double.NEGATIVE_INFINITY;
        for (int column = 0; column < DigitImages.CLASSES; column++) {
            double score = 0;
            for (int feature = 0; feature < DigitImages.FEATURES; feature++) {
                score += images.feature(image, feature) * weights[feature * DigitImages.CLASSES + column];
            }
            probabilities[column] = score;
            highest = Math.max(highest, score);
        }
        double sum = 0;
        for (int column = 0; column < DigitImages.CLASSES; column++) {
            probabilities[column] = StrictMath.exp(probabilities[column] - highest);
            sum += probabilities[column];
        }
        for (int column = 0; column < DigitImages.CLASSES; column++) {
            probabilities[column] /= sum;
        }
    }
}
