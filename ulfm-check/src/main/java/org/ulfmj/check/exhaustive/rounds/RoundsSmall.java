package org.ulfmj.check.exhaustive.rounds;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small world of a rendezvous: its seats, and how many faults of each kind may happen in it. */
final class RoundsSmall {
    /** What may happen in a world, at most as often as the world says. */
    enum Fault {
        /** A process dies. */
        CRASH,
        /** A process is started in the seat of one that has died. */
        RESTART,
        /** A process stands still, and goes on later or never. The others may go on without it. */
        PAUSE,
        /** A connection breaks and is dialed again. */
        BREAK,
        /** A process leaves. */
        LEAVE,
        /** The launcher closes the rendezvous. */
        CLOSE,
        /** A timer fires although something else could still happen. */
        EARLY,
        /** A running world changes its members. */
        ADMIT,
        /** A second process is started in a seat whose process lives. */
        DOUBLE,
        /** A process of the first seats never confirms a table. */
        MUTE
    }

    private final String name;
    private final int seats;
    private final int min;
    private final int max;
    private final boolean isStatic;
    private final int[] most = new int[Fault.values().length];

    private RoundsSmall(String name, int seats, int min, int max, boolean isStatic, String faults) {
        this.name = name;
        this.seats = seats;
        this.min = min;
        this.max = max;
        this.isStatic = isStatic;
        for (String fault : faults.isEmpty() ? new String[0] : faults.split(" ")) {
            int end = fault.indexOf('=');
            most[Fault.valueOf(fault.substring(0, end)).ordinal()] = Integer.parseInt(fault.substring(end + 1));
        }
    }

    private static RoundsSmall elastic(String name, int seats, int min, int max, String faults) {
        return new RoundsSmall("rounds-" + name, seats, min, max, false, faults);
    }

    private static RoundsSmall fixed(String name, int slots, String faults) {
        return new RoundsSmall("rounds-" + name, slots, slots, slots, true, faults);
    }

    /** The worlds that every build visits. */
    static final List<RoundsSmall> ALL = List.of(
            elastic("calm", 3, 2, 3, ""),
            elastic("crashes", 3, 2, 3, "CRASH=2"),
            elastic("held", 2, 1, 2, ""),
            elastic("admits", 2, 1, 2, "ADMIT=1"),
            elastic("mute", 2, 2, 2, "MUTE=1"),
            elastic("leaves", 2, 2, 2, "LEAVE=1"),
            elastic("cancelled", 2, 2, 3, "CRASH=1"),
            elastic("restart", 2, 2, 2, "CRASH=1 RESTART=1"),
            elastic("break", 2, 2, 2, "BREAK=1"),
            elastic("crash-break", 2, 2, 2, "CRASH=1 BREAK=1"),
            elastic("excluded", 2, 1, 2, "PAUSE=1 BREAK=1 ADMIT=1"),
            elastic("called", 2, 1, 2, "CRASH=1 ADMIT=1"),
            elastic("called-twice", 2, 1, 2, "CRASH=1 ADMIT=2"),
            fixed("double", 2, "DOUBLE=1"));

    /** Worlds that take longer. */
    static final List<RoundsSmall> LARGE = List.of();

    static RoundsSmall named(String name) {
        Map<String, RoundsSmall> byName = new LinkedHashMap<>();
        List<RoundsSmall> all = new ArrayList<>(ALL);
        all.addAll(LARGE);
        all.forEach(world -> byName.put(world.name, world));
        RoundsSmall world = byName.get(name);
        if (world == null) {
            throw new IllegalArgumentException("no world of rounds is called " + name);
        }
        return world;
    }

    /** Reads a world from words as {@code 3 2 3 CRASH=1}, or {@code static 2 CRASH=1}. */
    static RoundsSmall parse(String text) {
        String[] words = text.split(" ", 4);
        if (words[0].equals("static")) {
            String faults = words.length < 3 ? "" : text.substring(text.indexOf(' ', 7) + 1);
            return fixed("as-given", Integer.parseInt(words[1]), faults);
        }
        return elastic(
                "as-given",
                Integer.parseInt(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                words.length < 4 ? "" : words[3]);
    }

    String name() {
        return name;
    }

    int seats() {
        return seats;
    }

    int min() {
        return min;
    }

    int max() {
        return max;
    }

    boolean isStatic() {
        return isStatic;
    }

    int most(Fault fault) {
        return most[fault.ordinal()];
    }

    /** How many processes there are at most, started ones included. */
    int processes() {
        return seats + most(Fault.RESTART) + most(Fault.DOUBLE);
    }

    @Override
    public String toString() {
        return name;
    }
}
