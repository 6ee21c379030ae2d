package examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;
import java.util.zip.GZIPInputStream;

/**
 * Some of the 1,797 handwritten digits: a row of {@link #FEATURES} numbers each (64 pixels from 0 to 1 and a constant 1
 * for the bias) and the digit that it shows. Every fifth image is kept for testing.
 */
final class DigitImages {
    static final int COUNT = 1797;
    static final int TRAINING_COUNT = 1438;
    static final int TEST_COUNT = COUNT - TRAINING_COUNT;
    static final int CLASSES = 10;
    static final int FEATURES = 65;
    private static final int PIXELS = FEATURES - 1;
    private static final double BRIGHTEST = 16;

    private final double[] features;
    private final int[] digits;

    private DigitImages(int count) {
        features = new double[count * FEATURES];
        digits = new int[count];
    }

    /**
     * Training images {@code from} (inclusive) to {@code to} (exclusive), counted from 0 to {@link #TRAINING_COUNT}.
     */
    static DigitImages training(int from, int to) {
        return read(to - from, index -> !isTest(index) && trainingNumber(index) >= from && trainingNumber(index) < to);
    }

    /** Returns the training images of one rank if this many ranks share them. */
    static DigitImages shard(int rank, int ranks) {
        return training(TRAINING_COUNT * rank / ranks, TRAINING_COUNT * (rank + 1) / ranks);
    }

    /** All test images. */
    static DigitImages test() {
        return read(TEST_COUNT, DigitImages::isTest);
    }

    int count() {
        return digits.length;
    }

    int digit(int image) {
        return digits[image];
    }

    double feature(int image, int feature) {
        return features[image * FEATURES + feature];
    }

    private static boolean isTest(int index) {
        return index % 5 == 4;
    }

    private static int trainingNumber(int index) {
        return index - index / 5;
    }

    private static DigitImages read(int count, IntPredicate wanted) {
        DigitImages images = new DigitImages(count);
        try (InputStream resource = DigitImages.class.getResourceAsStream("digits.csv.gz");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(resource), StandardCharsets.US_ASCII))) {
            int at = 0;
            for (int index = 0; index < COUNT; index++) {
                String line = lines.readLine();
                if (wanted.test(index)) {
                    images.parse(at++, line.split(","));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read digits.csv.gz", e);
        }
        return images;
    }

    private void parse(int image, String[] numbers) {
        for (int pixel = 0; pixel < PIXELS; pixel++) {
            features[image * FEATURES + pixel] = Integer.parseInt(numbers[pixel]) / BRIGHTEST;
        }
        features[image * FEATURES + PIXELS] = 1;
        digits[image] = Integer.parseInt(numbers[PIXELS]);
    }
}
