package org.ulfmj.check.exhaustive;

import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * A small world of three ranks that call replace() or grow(), with one newcomer at most.
 *
 * @param dead slot of a rank that has died before anything else happens; −1 if none has
 * @param crashes how many more processes may die, the newcomer included
 * @param strict whether the call fails if a slot stays empty
 * @param rounds the most offer rounds after the first one; without a meaning for grow()
 * @param grows whether the ranks call grow(), and the newcomer has no slot until they give it one
 */
record ReplaceSmall(String name, int dead, int crashes, boolean strict, int rounds, boolean grows) {
    static final int RANKS = 3;

    static final List<ReplaceSmall> ALL = List.of(
            new ReplaceSmall("replace", -1, 1, false, 1),
            new ReplaceSmall("replace-strict", -1, 1, true, 1),
            new ReplaceSmall("replace-begun-0", 0, 1, false, 1),
            new ReplaceSmall("replace-begun-1", 1, 1, false, 1),
            new ReplaceSmall("replace-begun-2", 2, 1, false, 1),
            grow("grow-1", -1, 1),
            grow("grow-begun-0", 0, 1));

    private ReplaceSmall(String name, int dead, int crashes, boolean strict, int rounds) {
        this(name, dead, crashes, strict, rounds, false);
    }

    private static ReplaceSmall grow(String name, int dead, int crashes) {
        return new ReplaceSmall(name, dead, crashes, false, 1, true);
    }

    /**
     * The newcomer's id if it was started in this slot. With grow() the newcomer always gets the first slot after those
     * of the ranks.
     */
    ProcessId newcomer(int slot) {
        return grows ? ProcessId.of(RANKS) : new ProcessId(slot, 1);
    }

    static ReplaceSmall named(String name) {
        return ALL.stream()
                .filter(world -> world.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no world of replace is called " + name));
    }

    /** Returns how many processes die at most in a schedule. */
    int deaths() {
        return crashes + (dead < 0 ? 0 : 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
