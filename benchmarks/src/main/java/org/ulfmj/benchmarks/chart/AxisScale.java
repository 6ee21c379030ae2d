package org.ulfmj.benchmarks.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Maps the values of an axis to positions between 0 and 1, and selects the values that are labelled. */
final class AxisScale {
    private static final int LINEAR_TICKS = 6;

    private final Chart.Scale scale;
    private final double low;
    private final double high;

    /** Covers the given values; those of a logarithmic axis must be positive. */
    AxisScale(Chart.Scale scale, double lowest, double highest) {
        if (scale != Chart.Scale.LINEAR && lowest <= 0) {
            throw new IllegalArgumentException("a logarithmic axis cannot show " + lowest);
        }
        this.scale = scale;
        double span = highest > lowest ? highest - lowest : 1;
        switch (scale) {
            case LINEAR -> {
                double step = step(lowest >= 0 ? highest : span);
                low = lowest >= 0 ? 0 : Math.floor(lowest / step) * step;
                high = Math.max(Math.ceil(highest / step) * step, low + step);
            }
            case POWERS_OF_TEN -> {
                low = lowest / 1.3;
                high = highest * 1.3;
            }
            default -> {
                low = lowest / 1.15;
                high = highest * 1.15;
            }
        }
    }

    double place(double value) {
        return scale == Chart.Scale.LINEAR
                ? (value - low) / (high - low)
                : Math.log(value / low) / Math.log(high / low);
    }

    List<Double> ticks() {
        return switch (scale) {
            case LINEAR -> linearTicks();
            case POWERS_OF_TWO -> powers(decades(4) > 9 ? 16 : decades(4) > 3 ? 4 : 2, new double[] {1});
            case POWERS_OF_TEN -> powers(10, decades(10) > 2 ? new double[] {1} : new double[] {1, 2, 5});
        };
    }

    static String label(double value) {
        if (value != Math.rint(value)) {
            return Double.toString((double) Math.round(value * 1e6) / 1e6);
        }
        return String.format(Locale.ROOT, "%,d", (long) value);
    }

    private List<Double> linearTicks() {
        List<Double> ticks = new ArrayList<>();
        double step = step(high - low);
        for (int i = 0; low + i * step <= high + step / 2; i++) {
            ticks.add((double) Math.round((low + i * step) * 1e9) / 1e9);
        }
        return ticks;
    }

    private List<Double> powers(int base, double[] multiples) {
        List<Double> ticks = new ArrayList<>();
        int first = (int) Math.floor(Math.log(low) / Math.log(base));
        for (int power = first; Math.pow(base, power) <= high; power++) {
            for (double multiple : multiples) {
                double tick = multiple * Math.pow(base, power);
                if (tick >= low && tick <= high) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }

    private double decades(int base) {
        return Math.log(high / low) / Math.log(base);
    }

    /**
     * Returns the smallest step (1, 2 or 5 times a power of ten) with which at most {@link #LINEAR_TICKS} steps fill
     * the range.
     */
    private static double step(double range) {
        double rough = range / LINEAR_TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double lead = rough / power;
        return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    }
}
