package org.ulfmj.benchmarks.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A chart of horizontal bars in per cent, with their names to the left; optionally with a line at 100 %. */
public final class BarChart {
    private static final int WIDTH = 760;
    private static final int NAMES = 300;
    private static final int RIGHT = 90;
    private static final int TOP = 44;
    private static final int LINE = 18;

    private record Bar(String name, double share, boolean good) {}

    private final String title;
    private final double most;
    private final boolean withLimit;
    private final List<Bar> bars = new ArrayList<>();

    /**
     * @param most the share at which a bar is cut off; its number still shows the whole share
     * @param withLimit whether there is a line at 100 %
     */
    public BarChart(String title, double most, boolean withLimit) {
        this.title = title;
        this.most = most;
        this.withLimit = withLimit;
    }

    /** @param share 1 for 100 % */
    public void add(String name, double share, boolean good) {
        bars.add(new Bar(name, share, good));
    }

    public boolean isEmpty() {
        return bars.isEmpty();
    }

    public String svg() {
        int height = TOP + LINE * bars.size() + 14;
        Svg svg = new Svg(WIDTH, height, title);
        double scale = (WIDTH - NAMES - RIGHT) / most;
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            int y = TOP + LINE * i;
            double width = Math.min(most, bar.share()) * scale;
            svg.text(NAMES - 8, y + 12, "end", bar.name());
            svg.bar(NAMES, y + 2, Math.max(1, width), LINE - 5, bar.good() ? "#1f6fb2" : "#d1495b");
            svg.text(NAMES + width + 6, y + 12, "start", String.format(Locale.ROOT, "%.0f %%", 100 * bar.share()));
        }
        if (withLimit) {
            svg.line(NAMES + scale, TOP - 4, NAMES + scale, height - 8, "#222222");
        }
        return svg.toString();
    }
}
