package org.ulfmj.launch;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * What the launcher itself says, a line at a time on stderr, marked as its own so that it is told from what the processes
 * write. Any thread.
 */
final class Report implements WaitSurvey.Printer {
    private static final double SECOND_NS = 1e9;

    private final long beganNs = System.nanoTime();
    private final LineSink sink;
    private final boolean verbose;

    Report(LineSink sink, boolean verbose) {
        this.sink = sink;
        this.verbose = verbose;
    }

    /** For what is said before there is a job. */
    static Report toStandardError() {
        return new Report(new LineSink(new FileOutputStream(FileDescriptor.err), () -> {}), false);
    }

    void say(String line) {
        byte[] text = ("mpiexec: " + line + "\n").getBytes(StandardCharsets.UTF_8);
        sink.write(this, text, text.length);
    }

    /** Several lines in one piece, so that what the processes write does not come between. */
    @Override
    public void page(String title, List<String> lines) {
        StringBuilder text = new StringBuilder("mpiexec: ").append(title);
        text.append(
                String.format(Locale.ROOT, ", %.1f s after the start%n", (System.nanoTime() - beganNs) / SECOND_NS));
        for (String line : lines) {
            text.append("mpiexec: ").append(line).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        sink.write(this, bytes, bytes.length);
    }

    /** Said only if the user asked for more ({@code ulfm.verbose}), with the time since the launcher began. */
    void detail(String line) {
        if (verbose) {
            say(String.format(Locale.ROOT, "%.3f s: %s", (System.nanoTime() - beganNs) / SECOND_NS, line));
        }
    }
}
