package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Numbers of results that a rank holds, as runs of equal steps. For example, every third number up to some place and
 * then every number are two runs. Immutable.
 */
public final class Runs {
    /** No number. */
    public static final Runs NONE = new Runs(List.of());

    private static final int RUN_BYTES = 3 * Long.BYTES;

    /** {@code from}, {@code from + step}, … up to and with {@code last}. */
    private record Run(long from, long last, long step) {
        boolean contains(long number) {
            return number >= from && number <= last && (number - from) % step == 0;
        }
    }

    private final List<Run> runs;

    private Runs(List<Run> runs) {
        this.runs = runs;
    }

    /** Puts ascending numbers together. */
    public static final class Builder {
        private final List<Run> runs = new ArrayList<>();
        private long from;
        private long last;
        private long step;
        private boolean isOpen;

        /** @param number above all numbers that were added before */
        public void add(long number) {
            if (!isOpen) {
                from = number;
                step = 0;
                isOpen = true;
            } else if (step == 0) {
                step = number - last;
            } else if (number - last != step) {
                runs.add(new Run(from, last, step));
                from = number;
                step = 0;
            }
            last = number;
        }

        public Runs build() {
            if (isOpen) {
                runs.add(new Run(from, last, Math.max(step, 1)));
                isOpen = false;
            }
            return runs.isEmpty() ? NONE : new Runs(List.copyOf(runs));
        }
    }

    public boolean contains(long number) {
        for (Run run : runs) {
            if (run.contains(number)) {
                return true;
            }
        }
        return false;
    }

    void writeTo(WireWriter out) {
        out.putInt(runs.size());
        for (Run run : runs) {
            out.putLong(run.from).putLong(run.last).putLong(run.step);
        }
    }

    static Runs readFrom(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, RUN_BYTES, "runs of results");
        List<Run> runs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            runs.add(new Run(in.getLong(), in.getLong(), Math.max(1, in.getLong())));
        }
        return new Runs(List.copyOf(runs));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Runs that && runs.equals(that.runs);
    }

    @Override
    public int hashCode() {
        return runs.hashCode();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (Run run : runs) {
            text.append(text.length() > 1 ? ", " : "").append(run.from);
            if (run.last > run.from) {
                text.append('…').append(run.last).append(run.step > 1 ? " by " + run.step : "");
            }
        }
        return text.append(']').toString();
    }
}
