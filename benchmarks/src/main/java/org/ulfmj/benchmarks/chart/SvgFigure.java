package org.ulfmj.benchmarks.chart;

import java.util.List;
import java.util.Locale;

/** A chart as a scalable picture: light, with a grid, labelled axes, and a legend in the upper left. */
public final class SvgFigure {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 440;
    private static final int LEFT = 78;
    private static final int RIGHT = 24;
    private static final int TOP = 46;
    private static final int BOTTOM = 56;
    private static final int LEGEND_LINE = 18;
    private static final String[] COLOURS = {"#1f6fb2", "#d1495b", "#2f8f5b", "#8a5fbf", "#c17f1a", "#4a5560"};

    private final Chart chart;
    private final AxisScale x;
    private final AxisScale y;
    private final StringBuilder svg = new StringBuilder();

    public SvgFigure(Chart chart) {
        this.chart = chart;
        List<Chart.Point> points = chart.curves().stream()
                .flatMap(curve -> curve.points().stream())
                .toList();
        if (points.isEmpty()) {
            throw new IllegalArgumentException("the chart \"" + chart.title() + "\" has no points");
        }
        this.x = new AxisScale(
                chart.x().scale(),
                points.stream().mapToDouble(Chart.Point::x).min().getAsDouble(),
                points.stream().mapToDouble(Chart.Point::x).max().getAsDouble());
        this.y = new AxisScale(
                chart.y().scale(),
                points.stream().mapToDouble(Chart.Point::y).min().getAsDouble(),
                points.stream().mapToDouble(Chart.Point::y).max().getAsDouble());
    }

    @Override
    public String toString() {
        svg.setLength(0);
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
        text(LEFT, 26, "start", "#222222\" font-size=\"15", chart.title());
        addGrid();
        for (int i = 0; i < chart.curves().size(); i++) {
            addCurve(chart.curves().get(i), COLOURS[i % COLOURS.length]);
        }
        addLegend();
        svg.append("</svg>\n");
        return svg.toString();
    }

    private void addGrid() {
        for (double tick : x.ticks()) {
            line(placeX(tick), TOP, placeX(tick), HEIGHT - BOTTOM, "#e6e6e6");
            text(placeX(tick), HEIGHT - BOTTOM + 18, "middle", "#444444", AxisScale.label(tick));
        }
        for (double tick : y.ticks()) {
            line(LEFT, placeY(tick), WIDTH - RIGHT, placeY(tick), "#e6e6e6");
            text(LEFT - 8, placeY(tick) + 4, "end", "#444444", AxisScale.label(tick));
        }
        line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#888888");
        line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "#888888");
        text(
                (LEFT + WIDTH - RIGHT) / 2.0,
                HEIGHT - 14,
                "middle",
                "#222222",
                chart.x().label());
        add(
                "<text transform=\"translate(18 %.1f) rotate(-90)\" text-anchor=\"middle\" fill=\"#222222\">%s</text>",
                (TOP + HEIGHT - BOTTOM) / 2.0, escaped(chart.y().label()));
    }

    private void addCurve(Chart.Curve curve, String colour) {
        StringBuilder path = new StringBuilder();
        for (Chart.Point point : curve.points()) {
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", placeX(point.x()), placeY(point.y())));
        }
        boolean isReference = curve.style() == Chart.Style.REFERENCE;
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s/>",
                path.toString().trim(),
                colour,
                isReference ? "1.2" : "1.8",
                isReference ? " stroke-dasharray=\"6 4\"" : "");
        if (!isReference) {
            for (Chart.Point point : curve.points()) {
                marker(placeX(point.x()), placeY(point.y()), colour);
            }
        }
    }

    private void addLegend() {
        int at = TOP + 16;
        for (int i = 0; i < chart.curves().size(); i++) {
            Chart.Curve curve = chart.curves().get(i);
            String colour = COLOURS[i % COLOURS.length];
            boolean isReference = curve.style() == Chart.Style.REFERENCE;
            add(
                    "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"1.8\"%s/>",
                    LEFT + 14, at - 4, LEFT + 38, at - 4, colour, isReference ? " stroke-dasharray=\"6 4\"" : "");
            if (!isReference) {
                marker(LEFT + 26, at - 4, colour);
            }
            text(LEFT + 46, at, "start", "#222222", curve.name());
            at += LEGEND_LINE;
        }
    }

    private double placeX(double value) {
        return LEFT + x.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double placeY(double value) {
        return HEIGHT - BOTTOM - y.place(value) * (HEIGHT - TOP - BOTTOM);
    }

    private void marker(double atX, double atY, String colour) {
        add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", atX, atY, colour);
    }

    private void line(double fromX, double fromY, double toX, double toY, String colour) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", fromX, fromY, toX, toY, colour);
    }

    private void text(double atX, double atY, String anchor, String colour, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                atX, atY, anchor, colour, escaped(text));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
