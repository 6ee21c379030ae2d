package org.ulfmj.check.exhaustive.rounds;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** A small world of a rendezvous: its seats, and how many faults of each kind may happen in it. */
final class RoundsSmall {
    /**
     * Faults and other events of choice. Each may happen in a schedule as often as the world says, or less; MUTE is no
     * event, but holds from the start.
     */
    enum Fault {
        /** A process dies. */
        CRASH,
        /** A process is started in the seat of a process that has died. */
        RESTART,
        /** A process stands still, and goes on later unless it dies. The others may decide to go on without it. */
        PAUSE,
        /** A connection breaks and is dialed again. */
        BREAK,
        /** A process leaves. */
        LEAVE,
        /** The launcher closes the rendezvous. */
        CLOSE,
        /** A timer, not that of a last call or roll call, fires although something else could still happen. */
        EARLY,
        /** A running world changes its members. */
        ADMIT,
        /** A second process is started in a seat whose process lives. */
        DOUBLE,
        /** A process of the first seats never confirms a table. */
        MUTE
    }

    private final String name;
    private final String about;
    private final int seats;
    private final int min;
    private final int max;
    private final boolean isStatic;
    private final int[] most = new int[Fault.values().length];

    private RoundsSmall(String name, String about, int seats, int min, int max, boolean isStatic, String faults) {
        this.name = name;
        this.about = about;
        this.seats = seats;
        this.min = min;
        this.max = max;
        this.isStatic = isStatic;
        for (String fault : faults.isEmpty() ? new String[0] : faults.split(" ")) {
            int end = fault.indexOf('=');
            most[Fault.valueOf(fault.substring(0, end)).ordinal()] = Integer.parseInt(fault.substring(end + 1));
        }
    }

    private static RoundsSmall elastic(String name, String about, int seats, int min, int max, String faults) {
        return new RoundsSmall("rounds-" + name, about, seats, min, max, false, faults);
    }

    private static RoundsSmall fixed(String name, String about, int slots, String faults) {
        return new RoundsSmall("rounds-" + name, about, slots, slots, slots, true, faults);
    }

    /** The smaller worlds. */
    static final List<RoundsSmall> ALL = List.of(
            elastic("calm", "two begin without the third, or with it", 3, 2, 3, ""),
            elastic("held", "one joins while the other's table is frozen", 2, 1, 2, ""),
            elastic("mute", "one never confirms", 2, 2, 2, "MUTE=1"),
            elastic("leaves", "one leaves, in any phase", 2, 2, 2, "LEAVE=1"),
            elastic("cancelled", "too few are left in a last call", 2, 2, 3, "CRASH=1"),
            elastic("restart", "one dies and is started again", 2, 2, 2, "CRASH=1 RESTART=1"),
            elastic("break", "a connection breaks, with or without what was on its way", 2, 2, 2, "BREAK=1"),
            elastic("crash-break", "and one dies", 2, 2, 2, "CRASH=1 BREAK=1"),
            elastic("spare", "one more than the world takes", 3, 2, 2, "CRASH=1"),
            elastic("admits", "a world admits one that waits", 2, 1, 2, "ADMIT=1"),
            elastic("left-admitted", "and that one leaves", 2, 1, 2, "LEAVE=1 BREAK=1 ADMIT=1"),
            elastic("spare-admitted", "a spare waits for the place of one that leaves", 3, 2, 2, "LEAVE=1 ADMIT=1"),
            elastic("called", "the one that admits dies before it can say so", 2, 1, 2, "CRASH=1 ADMIT=1"),
            elastic("called-twice", "and may have been admitted itself", 2, 1, 2, "CRASH=1 ADMIT=2"),
            elastic("overtaking", "words of two epochs overtake each other", 3, 1, 3, "ADMIT=2"),
            elastic("excluded", "a world goes on without one that stands still", 2, 1, 2, "PAUSE=1 BREAK=1 ADMIT=1"),
            elastic("closed", "CLOSE at any moment", 2, 2, 2, "LEAVE=1 CRASH=1 CLOSE=1"),
            elastic("closed-calm", "CLOSE, and nothing else", 2, 1, 2, "CLOSE=1"),
            elastic("early", "timers fire early", 2, 1, 2, "CRASH=1 EARLY=1"),
            fixed("double", "a second process is started in a slot", 2, "DOUBLE=1 BREAK=1 ADMIT=1"));

    /** Worlds that take longer. */
    static final List<RoundsSmall> LARGE = List.of(
            elastic("crashes", "any two die", 3, 2, 3, "CRASH=2"),
            elastic("crash-break-3", "one dies, one connection breaks", 3, 2, 3, "CRASH=1 BREAK=1"),
            elastic("spare-restart", "a spare, and one that is started again", 3, 2, 2, "CRASH=1 RESTART=1"),
            elastic("early-break", "early timers, pauses, connections", 2, 1, 2, "CRASH=1 PAUSE=1 EARLY=1 BREAK=1"),
            elastic("excluded-3", "one is excluded, one dies", 3, 1, 2, "CRASH=1 PAUSE=1 ADMIT=1"),
            elastic(
                    "restart-admits",
                    "a world admits the one started again",
                    2,
                    1,
                    2,
                    "CRASH=1 RESTART=1 ADMIT=2 BREAK=1"),
            elastic("called-3", "joiners of a roll call", 3, 1, 2, "CRASH=2 ADMIT=2"));

    static RoundsSmall named(String name) {
        return Stream.concat(ALL.stream(), LARGE.stream())
                .filter(world -> world.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no world of rounds is called " + name));
    }

    String name() {
        return name;
    }

    /** The purpose of the world, in a few words. */
    String about() {
        return about;
    }

    /** The faults that may happen, as text: {@code 1 crash, 2 admit}. */
    String faults() {
        StringJoiner words = new StringJoiner(", ");
        for (Fault fault : Fault.values()) {
            if (most(fault) > 0) {
                words.add(most(fault) + " " + fault.name().toLowerCase(Locale.ROOT));
            }
        }
        return words.toString();
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

    /** How many processes there can be: one per seat, and those that may be started in addition. */
    int processes() {
        return seats + most(Fault.RESTART) + most(Fault.DOUBLE);
    }

    @Override
    public String toString() {
        return name;
    }
}
