package org.ulfmj.benchmarks.chart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Curves over two axes, with the numbers they are drawn from. */
public final class Chart {
    /** How a curve is drawn. */
    public enum Style {
        /** A measured curve: a line with a marker at each point. */
        MEASURED,
        /**
         * A curve for comparison, such as a formula, a published curve, or another case that was measured: a dashed
         * line without markers.
         */
        REFERENCE
    }

    /** Axis with its unit in the label. */
    public record Axis(String label, Scale scale) {}

    /** How values are mapped to an axis. */
    public enum Scale {
        /** Linear; from 0, or from a value at or below the lowest one if that is negative. */
        LINEAR,
        /** Logarithmic, labelled at powers of 2, of 4 or of 16: the wider the range, the fewer labels. */
        POWERS_OF_TWO,
        /** Logarithmic, labelled at powers of ten; over at most two decades also at their doubles and fivefolds. */
        POWERS_OF_TEN
    }

    /** A point. */
    public record Point(double x, double y) {}

    /** A named curve; points are added in the order of x. */
    public static final class Curve {
        private final String name;
        private final Style style;
        private final List<Point> points = new ArrayList<>();

        Curve(String name, Style style) {
            this.name = name;
            this.style = style;
        }

        public Curve add(double x, double y) {
            points.add(new Point(x, y));
            return this;
        }

        String name() {
            return name;
        }

        Style style() {
            return style;
        }

        List<Point> points() {
            return Collections.unmodifiableList(points);
        }
    }

    private final String fileName;
    private final String title;
    private final Axis x;
    private final Axis y;
    private final List<Curve> curves = new ArrayList<>();

    /** @param fileName of the figure and of its numbers, without an extension */
    public Chart(String fileName, String title, Axis x, Axis y) {
        this.fileName = fileName;
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Adds a curve that has no points yet. */
    public Curve curve(String name, Style style) {
        Curve curve = new Curve(name, style);
        curves.add(curve);
        return curve;
    }

    public String fileName() {
        return fileName;
    }

    String title() {
        return title;
    }

    Axis x() {
        return x;
    }

    Axis y() {
        return y;
    }

    List<Curve> curves() {
        return Collections.unmodifiableList(curves);
    }

    /** The numbers of all curves: a line of headings, and a line of curve, x and y per point. */
    public String toCsv() {
        StringBuilder csv = new StringBuilder("curve,\"" + x.label() + "\",\"" + y.label() + "\"\n");
        for (Curve curve : curves) {
            for (Point point : curve.points) {
                csv.append('"').append(curve.name).append("\",");
                csv.append(number(point.x())).append(',').append(number(point.y()));
                csv.append('\n');
            }
        }
        return csv.toString();
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString((double) Math.round(value * 1e6) / 1e6);
    }
}
