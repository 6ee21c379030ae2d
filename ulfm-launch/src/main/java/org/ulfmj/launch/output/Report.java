package org.ulfmj.launch.output;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.ulfmj.runtime.waits.RankView;
import org.ulfmj.runtime.waits.WaitPage;

/** The launcher's own lines on stderr, with a mark that tells them from the output of the processes. Any thread. */
public final class Report {
    private static final double SECOND_NS = 1e9;

    private final long beganNs = System.nanoTime();
    private final Consumer<byte[]> voice;
    private final boolean verbose;

    /**
     * @param voice takes whole lines; must not block where the launcher's main thread uses this report
     * @param verbose whether {@link #detail} prints anything
     */
    public Report(Consumer<byte[]> voice, boolean verbose) {
        this.voice = voice;
        this.verbose = verbose;
    }

    /**
     * Returns a report for a launcher that runs no job, or whose job cannot go on. It writes each line to stderr before
     * the call returns.
     */
    public static Report toStandardError() {
        LineSink sink = StandardStreams.error();
        return new Report(text -> sink.write(sink, text, text.length), false);
    }

    public void say(String line) {
        voice.accept(("mpiexec: " + line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Prints which rank waits for which. */
    public void waits(String title, List<RankView> views) {
        page(title, WaitPage.of(views));
    }

    /** Prints several lines in one piece, so that no output of a process comes between them. */
    public void page(String title, List<String> lines) {
        StringBuilder text = new StringBuilder("mpiexec: ").append(title);
        text.append(
                String.format(Locale.ROOT, ", %.1f s after the start%n", (System.nanoTime() - beganNs) / SECOND_NS));
        for (String line : lines) {
            text.append("mpiexec: ").append(line).append('\n');
        }
        voice.accept(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Prints a line only if the user asked for details ({@code ulfm.verbose}), with the time since the launcher began.
     */
    public void detail(String line) {
        if (verbose) {
            say(String.format(Locale.ROOT, "%.3f s: %s", (System.nanoTime() - beganNs) / SECOND_NS, line));
        }
    }
}
