package examples.boost;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/**
 * Some of the 569 breast masses of the Wisconsin table: {@link #FEATURES} measures each, and whether it was benign.
 * Every fifth mass is kept for testing.
 */
public final class Masses {
    public static final int COUNT = 569;
    public static final int TEST_COUNT = COUNT / 5;
    public static final int TRAINING_COUNT = COUNT - TEST_COUNT;
    public static final int FEATURES = 30;

    private static final String RESOURCE = "/examples/breast_cancer.csv";

    private final double[] measures;
    private final double[] labels;

    private Masses(int count) {
        measures = new double[count * FEATURES];
        labels = new double[count];
    }

    /**
     * Masses {@code from} (inclusive) to {@code to} (exclusive) of the {@link #TRAINING_COUNT} to learn from, counted
     * from 0.
     */
    public static Masses training(int from, int to) {
        return read(to - from, row -> !isTest(row) && trainingNumber(row) >= from && trainingNumber(row) < to);
    }

    /** All masses that are kept for testing. */
    public static Masses test() {
        return read(TEST_COUNT, Masses::isTest);
    }

    public int count() {
        return labels.length;
    }

    public double measure(int mass, int feature) {
        return measures[mass * FEATURES + feature];
    }

    /** 1 if the mass was benign, 0 if it was malignant. */
    public double label(int mass) {
        return labels[mass];
    }

    private static boolean isTest(int row) {
        return row % 5 == 4;
    }

    private static int trainingNumber(int row) {
        return row - row / 5;
    }

    private static Masses read(int count, IntPredicate wanted) {
        Masses masses = new Masses(count);
        try (InputStream resource = Masses.class.getResourceAsStream(RESOURCE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.US_ASCII))) {
            lines.readLine(); // the sizes of the table and the names of the labels
            int at = 0;
            for (int row = 0; row < COUNT; row++) {
                String line = lines.readLine();
                if (wanted.test(row)) {
                    masses.parse(at++, line.split(","));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE, e);
        }
        return masses;
    }

    private void parse(int mass, String[] numbers) {
        for (int feature = 0; feature < FEATURES; feature++) {
            measures[mass * FEATURES + feature] = Double.parseDouble(numbers[feature]);
        }
        labels[mass] = Double.parseDouble(numbers[FEATURES]);
    }
}
