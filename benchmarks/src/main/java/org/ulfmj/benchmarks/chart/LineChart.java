package org.ulfmj.benchmarks.chart;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleFunction;

/** Curves over two logarithmic axes; each x has a grid line. Where colours are used again, curves are dashed. */
public final class LineChart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 440;
    private static final int LEFT = 78;
    private static final int RIGHT = 24;
    /**
     * The width of the space right of the axes for the names of curves, used when there are more curves than colours,
     * since their names do not fit between the axes then.
     */
    private static final int NAMES = 150;

    private static final int TOP = 46;
    private static final int BOTTOM = 56;

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final DoubleFunction<String> nameOfX;
    private final Map<String, NavigableMap<Double, Double>> curves = new LinkedHashMap<>();

    public LineChart(String title, String xLabel, String yLabel, DoubleFunction<String> nameOfX) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
        this.nameOfX = nameOfX;
    }

    /** Adds a point. Both values must be positive. A point whose y is not a number is left out. */
    public void add(String curve, double x, double y) {
        if (!Double.isNaN(y)) {
            curves.computeIfAbsent(curve, key -> new TreeMap<>()).put(x, y);
        }
    }

    public boolean isEmpty() {
        return curves.isEmpty();
    }

    public String svg() {
        SortedSet<Double> xs = new TreeSet<>();
        SortedSet<Double> ys = new TreeSet<>();
        curves.values().forEach(curve -> {
            xs.addAll(curve.keySet());
            ys.addAll(curve.values());
        });
        double lowX = xs.first() / 1.2;
        double highX = xs.last() * 1.2;
        double lowY = ys.first() / 1.4;
        double highY = ys.last() * 1.4;
        boolean areMany = curves.size() > Svg.COLOURS.length;
        Svg svg = new Svg(areMany ? WIDTH + NAMES : WIDTH, HEIGHT, title);
        for (double x : xs) {
            double at = LEFT + place(x, lowX, highX) * (WIDTH - LEFT - RIGHT);
            svg.line(at, TOP, at, HEIGHT - BOTTOM, "#e6e6e6");
            svg.text(at, HEIGHT - BOTTOM + 18, "middle", nameOfX.apply(x));
        }
        for (double tick = Math.pow(10, Math.floor(Math.log10(lowY))); tick <= highY; tick *= 10) {
            for (int multiple : new int[] {1, 2, 5}) {
                double y = tick * multiple;
                if (y >= lowY && y <= highY) {
                    double at = HEIGHT - BOTTOM - place(y, lowY, highY) * (HEIGHT - TOP - BOTTOM);
                    svg.line(LEFT, at, WIDTH - RIGHT, at, multiple == 1 ? "#cccccc" : "#eeeeee");
                    svg.text(LEFT - 8, at + 4, "end", y >= 1 ? String.format(Locale.ROOT, "%,.0f", y) : round(y));
                }
            }
        }
        svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#888888");
        svg.line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "#888888");
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", xLabel);
        svg.upright(18, (TOP + HEIGHT - BOTTOM) / 2.0, yLabel);
        boolean fall = doFall();
        int number = 0;
        for (Map.Entry<String, NavigableMap<Double, Double>> curve : curves.entrySet()) {
            String colour = Svg.COLOURS[number % Svg.COLOURS.length];
            StringBuilder points = new StringBuilder();
            curve.getValue().forEach((x, y) -> {
                double atX = LEFT + place(x, lowX, highX) * (WIDTH - LEFT - RIGHT);
                double atY = HEIGHT - BOTTOM - place(y, lowY, highY) * (HEIGHT - TOP - BOTTOM);
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", atX, atY));
                svg.dot(atX, atY, colour);
            });
            boolean isDashed = number >= Svg.COLOURS.length;
            svg.polyline(points.toString().strip(), colour, isDashed);
            // The names stand in the lower right, where curves that rise leave room; in the upper right if most curves
            // fall; and right of the axes, from the top, if there are many.
            int line =
                    fall || areMany ? TOP + 14 + 18 * number : HEIGHT - BOTTOM - 14 - 18 * (curves.size() - 1 - number);
            int left = areMany ? WIDTH - RIGHT + 16 : WIDTH - RIGHT - 156;
            svg.polyline(left - 12 + "," + line + " " + (left + 12) + "," + line, colour, isDashed);
            svg.dot(left, line, colour);
            svg.text(left + 18, line + 4, "start", curve.getKey());
            number++;
        }
        return svg.toString();
    }

    /** Whether more than half of the curves fall: their last value is below their first. */
    private boolean doFall() {
        long falling = curves.values().stream()
                .filter(curve ->
                        curve.lastEntry().getValue() < curve.firstEntry().getValue())
                .count();
        return 2 * falling > curves.size();
    }

    private static double place(double value, double low, double high) {
        return Math.log(value / low) / Math.log(high / low);
    }

    private static String round(double value) {
        return String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "");
    }
}
