package org.ulfmj.check.command;

import java.io.PrintStream;
import java.util.Locale;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/**
 * Shows the progress of a run, on a terminal in one line that changes, elsewhere in a new line each time; and prints
 * each failure.
 */
final class LiveLine implements SeedRun.Watcher {
    private static final String TERMINAL = "ulfm.sim.terminal";
    private static final long ON_TERMINAL_MILLIS = 500;
    private static final long ELSEWHERE_MILLIS = 10_000;
    private static final int WIDTH = 110;

    private final PrintStream out;
    private final boolean onTerminal;
    private boolean isOpen;

    LiveLine(PrintStream out, boolean onTerminal) {
        this.out = out;
        this.onTerminal = onTerminal;
    }

    /**
     * Whether a system property says that stdout is a terminal. The shell script that starts this process sets the
     * property.
     */
    static boolean isOnTerminal() {
        return Boolean.getBoolean(TERMINAL);
    }

    long everyMillis() {
        return onTerminal ? ON_TERMINAL_MILLIS : ELSEWHERE_MILLIS;
    }

    @Override
    public void look(SeedRun.Progress progress) {
        for (SeedReport.Failure failure : progress.failures()) {
            end();
            out.println(failure);
        }
        String line = text(progress);
        if (onTerminal) {
            out.print("\r" + String.format(Locale.ROOT, "%-" + WIDTH + "s", line));
            out.flush();
            isOpen = true;
        } else {
            out.println(line);
        }
    }

    /** Ends the progress line, if one is open, so that the next output begins a new line. */
    void end() {
        if (isOpen) {
            out.println();
            isOpen = false;
        }
    }

    static String text(SeedRun.Progress progress) {
        double seconds = Math.max(progress.tookNs(), 1) / 1e9;
        double rate = progress.schedules() / seconds;
        long left = progress.seeds() - progress.schedules();
        String toGo = left == 0 || rate == 0 ? "" : ", " + duration(left / rate) + " to go";
        return String.format(
                Locale.ROOT,
                "%,d of %,d schedules, %,.0f a second, %,.0f events a second, %d violations%s",
                progress.schedules(),
                progress.seeds(),
                rate,
                progress.events() / seconds,
                progress.violations(),
                toGo);
    }

    private static String duration(double seconds) {
        long whole = (long) Math.ceil(seconds);
        return whole < 60 ? whole + " s" : whole / 60 + " min " + whole % 60 + " s";
    }
}
