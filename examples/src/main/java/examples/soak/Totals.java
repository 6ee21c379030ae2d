package examples.soak;

import examples.soak.RankStatus.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of all runs together. */
final class Totals {
    private final Map<SoakCall, Integer> landed = new EnumMap<>(SoakCall.class);
    private final List<Double> recoveriesMs = new ArrayList<>();
    private int runs;
    private int wrong;
    private int hung;
    private long messages;
    private long bytes;
    private long calls;

    void add(SoakRun run) {
        runs++;
        wrong += run.isRight() ? 0 : 1;
        hung += run.isHung() ? 1 : 0;
        messages += run.total(Field.MESSAGES);
        bytes += run.total(Field.BYTES);
        calls += run.total(Field.CALLS);
        run.strikes().forEach(strike -> landed.merge(strike.call(), 1, Integer::sum));
        recoveriesMs.add(run.recoveryNs() / 1e6);
    }

    boolean isAllRight() {
        return wrong == 0;
    }

    /**
     * The totals as text: the calls in which the deaths came, the times of the recoveries, and one line with all
     * counts.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("deaths landed in").append(System.lineSeparator());
        landed.forEach((call, count) -> text.append(String.format(Locale.ROOT, "  %5d  %s%n", count, call)));
        Collections.sort(recoveriesMs);
        int deaths = landed.values().stream().mapToInt(Integer::intValue).sum();
        text.append(String.format(
                Locale.ROOT,
                "recovered in ms: least %.1f, median %.1f, 90 %% %.1f, 99 %% %.1f, most %.1f%n",
                share(0),
                share(0.5),
                share(0.9),
                share(0.99),
                share(1)));
        return text.append(String.format(
                        Locale.ROOT,
                        "soak: %d runs, %d deaths, %d calls, %d messages (%.1f MB) checked, %d hangs, %d runs wrong",
                        runs,
                        deaths,
                        calls,
                        messages,
                        bytes / 1e6,
                        hung,
                        wrong))
                .toString();
    }

    private double share(double part) {
        return recoveriesMs.isEmpty()
                ? 0
                : recoveriesMs.get((int) Math.min(recoveriesMs.size() - 1, part * recoveriesMs.size()));
    }
}
