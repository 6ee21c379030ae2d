package org.ulfmj.rendezvous.replacement;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * Simulates a job in which ranks and spares die at any time, and checks what follows. Each place of a dead rank is
 * refused, or is announced and then filled once or refused; a spare that is ready fills it if there is one. A rank is
 * started again no more often than allowed, and these starts lie as far apart as they must. Public, since mutants of
 * the tested classes run it.
 */
public final class ReplacementsStory implements Replacements.Effects {
    private static final int STEPS = 60;
    private static final long MS = 1_000_000;
    private static final long FIRST_GAP_NS = 500 * MS;
    private static final long MOST_GAP_NS = 30_000 * MS;

    private final SplittableRandom random;
    private final int most;
    private final Replacements replacements;
    private final int[] starts;
    private final long[] lastStartNs;

    /** By slot: processes that live. */
    private final SortedMap<Integer, ProcessId> living = new TreeMap<>();
    /** The processes that failed and whose replacement or refusal was not told yet, by slot. */
    private final SortedMap<Integer, ProcessId> lost = new TreeMap<>();
    /** The processes that were announced, and have neither begun nor been refused yet, by slot. */
    private final SortedMap<Integer, ProcessId> open = new TreeMap<>();

    private final SortedSet<Integer> refused = new TreeSet<>();
    /** The spares without a place, by number; the value is whether the spare is ready. */
    private final SortedMap<Integer, Boolean> spares = new TreeMap<>();

    private long nowNs;
    private boolean isStopped;

    private ReplacementsStory(long seed) {
        random = new SplittableRandom(seed);
        int size = random.nextInt(1, 5);
        int spareCount = random.nextInt(4);
        most = random.nextInt(9);
        starts = new int[size];
        lastStartNs = new long[size];
        replacements = new Replacements(new ReplacementTerms(size, most, spareCount, "restarts", "none"), this);
        for (int slot = 0; slot < size; slot++) {
            living.put(slot, ProcessId.of(slot));
        }
        for (int number = 1; number <= spareCount; number++) {
            replacements.spareStarted(number);
            spares.put(number, false);
        }
    }

    /** Runs the seeds of a range. Returns the seed that failed first and what was wrong; empty if none failed. */
    public static String run(Long first, Long last) {
        for (long seed = first; seed <= last; seed++) {
            try {
                new ReplacementsStory(seed).tell();
            } catch (IllegalStateException wrong) {
                return "seed " + seed + ": " + wrong.getMessage();
            }
        }
        return "";
    }

    private void tell() {
        int stopsAt = random.nextInt(2 * STEPS);
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(5)) {
                case 0 -> passTime(random.nextLong(1, 40_000) * MS);
                case 1 -> passTime(random.nextLong(1, 700) * MS);
                case 2 -> changeSpare();
                default -> fail();
            }
            if (step == stopsAt) {
                stop();
            }
        }
        for (int number : List.copyOf(spares.keySet())) {
            becomeReady(number);
        }
        passTime(MOST_GAP_NS);
        require(open.isEmpty(), "nobody fills " + open + ", and nobody says so");
        require(isStopped || lost.isEmpty(), "nobody says what becomes of " + lost);
    }

    private void passTime(long lengthNs) {
        long endNs = nowNs + lengthNs;
        while (replacements.deadlineNs() <= endNs) {
            nowNs = Math.max(nowNs, replacements.deadlineNs());
            replacements.tick(nowNs);
        }
        nowNs = endNs;
    }

    private void fail() {
        if (living.isEmpty()) {
            return;
        }
        List<ProcessId> all = new ArrayList<>(living.values());
        ProcessId failed = all.get(random.nextInt(all.size()));
        int slot = failed.slot();
        living.remove(slot);
        lost.put(slot, failed);
        boolean isSpareReady = !isStopped && spares.containsValue(true);
        boolean isSure = !isStopped && (starts[slot] < most || spares.size() > open.size());
        boolean canReplace = replacements.canReplace(slot);
        boolean isReplaced = replacements.replace(failed, "it fell", nowNs);
        require(isReplaced == canReplace, failed + " can be replaced: " + canReplace + ", and is: " + isReplaced);
        require(isReplaced || !isSure, failed + " is not replaced after " + starts[slot] + " of " + most + " starts");
        require(!isSpareReady || living.containsKey(slot), "a spare is ready, and nobody replaces " + failed);
    }

    private void changeSpare() {
        if (spares.isEmpty()) {
            return;
        }
        List<Integer> all = List.copyOf(spares.keySet());
        int number = all.get(random.nextInt(all.size()));
        if (random.nextBoolean()) {
            becomeReady(number);
        } else {
            spares.remove(number);
            replacements.spareEnded(number, nowNs);
        }
    }

    private void becomeReady(int number) {
        spares.put(number, true);
        replacements.spareReady(number);
    }

    private void stop() {
        replacements.stop("the job ends");
        isStopped = true;
        require(open.isEmpty(), "the job ends, and nobody says so to those who wait for " + open);
    }

    @Override
    public void announce(ProcessId next) {
        ProcessId before = lost.remove(next.slot());
        require(before != null && before.incarnation() + 1 == next.incarnation(), next + " is to follow " + before);
        open.put(next.slot(), next);
    }

    @Override
    public void assign(int spare, ProcessId next) {
        require(Boolean.TRUE.equals(spares.remove(spare)), "spare " + spare + " cannot take a place");
        fill(next);
    }

    @Override
    public void start(ProcessId next) {
        int slot = next.slot();
        int number = ++starts[slot];
        require(number <= most, next + " is start " + number + " of " + most);
        if (number > 1) {
            long gapNs = Math.min(MOST_GAP_NS, FIRST_GAP_NS << number - 2);
            require(nowNs - lastStartNs[slot] >= gapNs, next + " follows after " + (nowNs - lastStartNs[slot]) + " ns");
        }
        lastStartNs[slot] = nowNs;
        fill(next);
    }

    private void fill(ProcessId next) {
        require(!isStopped, next + " begins in a job that ends");
        require(next.equals(open.remove(next.slot())), next + " is not awaited");
        living.put(next.slot(), next);
    }

    @Override
    public void refuse(int slot, String why) {
        boolean isAwaited = lost.remove(slot) != null | open.remove(slot) != null;
        require(isAwaited && refused.add(slot), "slot " + slot + " is refused and was not empty");
    }

    @Override
    public void say(String line) {
        require(!line.isEmpty(), "an empty line for the user");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
