package org.ulfmj.check.exhaustive.link;

import static org.ulfmj.check.exhaustive.link.LinkTrait.IN_TURN;
import static org.ulfmj.check.exhaustive.link.LinkTrait.LEAVES;
import static org.ulfmj.check.exhaustive.link.LinkTrait.ONE_WAY;
import static org.ulfmj.check.exhaustive.link.LinkTrait.SLOW;
import static org.ulfmj.check.exhaustive.link.LinkTrait.TOLD;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A small world of two processes and the link sessions between them.
 *
 * @param about the purpose of the world, in a few words
 * @param low how many frames the lower slot sends, without a goodbye
 * @param high how many frames the higher slot sends, without a goodbye
 * @param cuts how many connections may die in silence at most
 * @param early how many timers may fire although a step that needs no choice could still happen
 * @param marks how many of the two, the lower slot first, may mark the other one failed, once, at any moment before
 *     they leave
 * @param traits what else is true of the world
 */
record LinkSmall(String name, String about, int low, int high, int cuts, int early, int marks, Set<LinkTrait> traits) {
    static final List<LinkSmall> ALL = List.of(
            new LinkSmall("links-cross", "both dial at once", 1, 1, 0, 0, 0, Set.of()),
            new LinkSmall("links-cut", "one frame, a connection that dies in silence", 1, 0, 1, 1, 0, Set.of()),
            new LinkSmall("links-cut-high", "the same from the higher slot", 0, 1, 1, 1, 0, Set.of()),
            new LinkSmall("links-cut-both", "a frame each way, one cut", 1, 1, 1, 0, 0, Set.of()),
            new LinkSmall("links-credit", "a frame each way before the last, one cut", 2, 1, 1, 0, 0, Set.of(IN_TURN)),
            new LinkSmall("links-mark", "one process marks the other", 1, 1, 0, 0, 1, Set.of()),
            new LinkSmall("links-mark-cut", "and a connection dies in silence", 1, 0, 1, 0, 1, Set.of()),
            new LinkSmall("links-leave", "both say goodbye, without a launcher", 1, 1, 0, 0, 0, Set.of(LEAVES)),
            new LinkSmall(
                    "links-cross-slow", "both dial, messages take longer than a pause", 1, 1, 0, 0, 0, Set.of(SLOW)),
            new LinkSmall(
                    "links-leave-slow",
                    "both leave, messages take longer than a pause",
                    1,
                    1,
                    0,
                    0,
                    0,
                    Set.of(LEAVES, SLOW)),
            new LinkSmall("links-one-way", "no dial of the lower slot is heard", 1, 1, 0, 0, 0, Set.of(ONE_WAY)),
            new LinkSmall(
                    "links-leave-cut", "a connection dies in silence meanwhile", 0, 1, 1, 0, 0, Set.of(LEAVES, TOLD)));

    /** Worlds that take longer. */
    static final List<LinkSmall> LARGE = List.of(
            new LinkSmall("links-cut-twice", "one frame, two cuts", 1, 0, 2, 1, 0, Set.of()),
            new LinkSmall("links-frames", "two frames each way, one cut", 2, 2, 1, 0, 0, Set.of()),
            new LinkSmall("links-mark-mutual", "each marks the other, one cut", 1, 1, 1, 0, 2, Set.of()),
            new LinkSmall("links-leave-mark", "both leave, one marks, one cut", 1, 1, 1, 0, 1, Set.of(LEAVES, TOLD)));

    static LinkSmall named(String name) {
        return Stream.concat(ALL.stream(), LARGE.stream())
                .filter(world -> world.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no world of links is called " + name));
    }

    int frames(int slot) {
        return slot == 0 ? low : high;
    }

    boolean has(LinkTrait trait) {
        return traits.contains(trait);
    }

    /** The most steps of a schedule. A longer one counts as one that does not end. */
    int longest() {
        return has(SLOW) ? 60 : 200;
    }

    /** Whether the world has no cut, no early timer and no mark. */
    boolean isCalm() {
        return cuts == 0 && early == 0 && marks == 0;
    }

    @Override
    public String toString() {
        return name;
    }
}
