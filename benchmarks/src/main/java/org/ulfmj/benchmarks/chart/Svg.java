package org.ulfmj.benchmarks.chart;

import java.util.Locale;

/** Elements of a picture on a white ground, with sans-serif text. */
final class Svg {
    static final String[] COLOURS = {"#1f6fb2", "#d1495b", "#2f8f5b", "#8a5fbf", "#c17f1a", "#4a5560"};

    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height, String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
                width, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
        add("<text x=\"20\" y=\"26\" fill=\"#222222\" font-size=\"15\">%s</text>", escaped(title));
    }

    void line(double fromX, double fromY, double toX, double toY, String colour) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", fromX, fromY, toX, toY, colour);
    }

    void polyline(String points, String colour, boolean isDashed) {
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s/>",
                points, colour, isDashed ? " stroke-dasharray=\"6 3\"" : "");
    }

    void dot(double x, double y, String colour) {
        add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour);
    }

    void bar(double x, double y, double width, double height, String colour) {
        add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, width, height, colour);
    }

    /** @param anchor start, middle or end */
    void text(double x, double y, String anchor, String words) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#333333\">%s</text>", x, y, anchor, escaped(words));
    }

    /** Writes words upwards, with their middle at the given point. */
    void upright(double x, double y, String words) {
        add(
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\" fill=\"#333333\">%s</text>",
                x, y, escaped(words));
    }

    @Override
    public String toString() {
        return text + "</svg>\n";
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
