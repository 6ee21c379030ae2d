package org.ulfmj.benchmarks.result;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The windows of 100 ms of a job's first seconds. Each window is a separate place, {@code pp:8 at 0.3 s}, with one
 * figure per job that was started. The windows from some time on are a place too, {@code pp:8 from 0.3 s}, with one
 * figure per window, its median over the started jobs: the largest figure is that of the worst window.
 */
public final class Windows {
    public static final int PER_SECOND = 10;

    /** Length of a window, in µs. */
    public static final double MICROS = 1e6 / PER_SECOND;

    /** The windows at which the search for the worst window begins: 0.3 s, 1 s and 2 s after Init. */
    private static final List<Integer> FIRSTS = List.of(3, PER_SECOND, 2 * PER_SECOND);

    private static final String LINE = "windows ";
    private static final String AT = " at ";
    private static final String FROM = " from ";
    private static final String SECONDS = " s";
    private static final Pattern ONE_WINDOW = Pattern.compile("(.+)" + AT + "(\\d+)\\.(\\d)" + SECONDS);

    private Windows() {}

    /** The counts of operations in the line {@code windows COUNT COUNT ...} that rank 0 of a job has printed. */
    public static long[] parse(String said, int seconds) throws IOException {
        List<String> lines = said.lines().filter(line -> line.startsWith(LINE)).toList();
        if (lines.size() != 1) {
            throw new IOException("wanted one line \"" + LINE + "...\", got: " + said.strip());
        }
        String[] words = lines.get(0).substring(LINE.length()).strip().split(" ");
        if (words.length != seconds * PER_SECOND) {
            throw new IOException("wanted " + seconds * PER_SECOND + " windows, got: " + lines.get(0));
        }
        long[] counts = new long[words.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = Long.parseLong(words[i]);
        }
        return counts;
    }

    /**
     * The time per operation in a window, in µs. A window in which no operation ended counts as one operation, which
     * has taken at least as long.
     *
     * @param parts the number of operations that one counted operation stands for
     */
    public static double micros(long count, int parts) {
        return MICROS / Math.max(1, count) / parts;
    }

    /** The name of one window of a cell, by its number from 0 on. */
    public static String at(String cell, int window) {
        return cell + AT + seconds(window) + SECONDS;
    }

    /** The name of the windows of a cell from this one on. */
    public static String from(String cell, int window) {
        return cell + FROM + seconds(window) + SECONDS;
    }

    /** Whether the place is one window. Such places are shown as a curve, and not one by one. */
    public static boolean isOne(String place) {
        return ONE_WINDOW.matcher(place).matches();
    }

    /**
     * Makes the results of places with several windows from those of single windows. For each job name, as
     * {@code ours}, the figures are the medians of the windows from a given one on, over the jobs started by that name.
     *
     * @param cell the name of the cell
     * @param title the cell's title
     * @param windows all results of one launch of the cell, window by window
     */
    public static List<Result> spans(String cell, String title, List<Result> windows) {
        Map<String, List<Result>> byJob = new LinkedHashMap<>();
        windows.forEach(result ->
                byJob.computeIfAbsent(result.job(), key -> new ArrayList<>()).add(result));
        List<Result> spans = new ArrayList<>();
        for (int first : FIRSTS) {
            byJob.forEach((job, ofJob) -> {
                if (first < ofJob.size()) {
                    Result any = ofJob.get(first);
                    spans.add(new Result(
                            any.group(),
                            any.ranks(),
                            from(cell, first),
                            title + ", windows of 100 ms from " + seconds(first) + " s after Init on",
                            any.launch(),
                            job,
                            ofJob.stream()
                                    .skip(first)
                                    .mapToDouble(Result::median)
                                    .toArray(),
                            any.foreign(),
                            any.steal()));
                }
            });
        }
        return spans;
    }

    /**
     * The curves of all cells that were measured window by window, by {@code GROUP/RANKS/CELL}: for each job the
     * windows' medians in the order of time, NaN for a window without a figure before its last one.
     */
    public static Map<String, Map<String, List<Double>>> curves(Results results) {
        Map<String, Map<String, List<Double>>> curves = new LinkedHashMap<>();
        for (String place : results.places()) {
            Matcher matcher = ONE_WINDOW.matcher(place);
            if (matcher.matches()) {
                int window = PER_SECOND * Integer.parseInt(matcher.group(2)) + Integer.parseInt(matcher.group(3));
                Map<String, List<Double>> ofCell =
                        curves.computeIfAbsent(matcher.group(1), key -> new LinkedHashMap<>());
                results.jobs(place).forEach(job -> {
                    List<Double> curve = ofCell.computeIfAbsent(job, key -> new ArrayList<>());
                    while (curve.size() <= window) {
                        curve.add(Double.NaN);
                    }
                    curve.set(window, results.median(place, job));
                });
            }
        }
        return curves;
    }

    private static String seconds(int window) {
        return String.format(Locale.ROOT, "%d.%d", window / PER_SECOND, window % PER_SECOND);
    }
}
