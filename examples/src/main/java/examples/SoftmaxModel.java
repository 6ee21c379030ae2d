package examples;

/** Softmax regression: one row of weights per feature, one column per digit. The weights start at zero. */
final class SoftmaxModel {
    static final int WEIGHTS = DigitImages.FEATURES * DigitImages.CLASSES;

    final double[] weights = new double[WEIGHTS];

    /**
     * Adds the figures of these images to {@code sums}: the gradient of the cross-entropy, {@link #WEIGHTS} numbers,
     * and after it the loss itself.
     */
    void addGradient(DigitImages images, double[] sums) {
        double[] probabilities = new double[DigitImages.CLASSES];
        for (int image = 0; image < images.count(); image++) {
            predict(images, image, probabilities);
            int digit = images.digit(image);
            sums[WEIGHTS] -= Math.log(probabilities[digit]);
            probabilities[digit] -= 1;
            for (int feature = 0; feature < DigitImages.FEATURES; feature++) {
                double value = images.feature(image, feature);
                for (int column = 0; column < DigitImages.CLASSES; column++) {
                    sums[feature * DigitImages.CLASSES + column] += value * probabilities[column];
                }
            }
        }
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
            probabilities[column] = Math.exp(probabilities[column] - highest);
            sum += probabilities[column];
        }
        for (int column = 0; column < DigitImages.CLASSES; column++) {
            probabilities[column] /= sum;
        }
    }
}
