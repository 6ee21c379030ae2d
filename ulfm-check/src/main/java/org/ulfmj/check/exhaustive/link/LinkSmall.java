package org.ulfmj.check.exhaustive.link;

import java.util.List;
import java.util.stream.Stream;

/**
 * A small world of two processes and the sessions between them.
 *
 * @param about the purpose of the world, in a few words
 * @param low how many frames the lower slot sends
 * @param high how many frames the higher slot sends
 * @param cuts how many connections die in silence
 * @param early how many timers fire although something else could still happen
 * @param marks how many of the two, the lower slot first, may mark the other one failed at any moment
 * @param leave whether both leave once they have sent their frames
 * @param told whether a launcher tells each of the end of the other
 */
record LinkSmall(
        String name, String about, int low, int high, int cuts, int early, int marks, boolean leave, boolean told) {
    static final List<LinkSmall> ALL = List.of(
            new LinkSmall("links-cross", "both dial at once", 1, 1, 0, 0, 0, false, false),
            new LinkSmall("links-cut", "one frame, a connection that dies in silence", 1, 0, 1, 1, 0, false, false),
            new LinkSmall("links-cut-high", "the same from the higher slot", 0, 1, 1, 1, 0, false, false),
            new LinkSmall("links-cut-both", "a frame each way, one cut", 1, 1, 1, 0, 0, false, false),
            new LinkSmall("links-mark", "one process marks the other", 1, 1, 0, 0, 1, false, false),
            new LinkSmall("links-mark-cut", "and a connection dies in silence", 1, 0, 1, 0, 1, false, false),
            new LinkSmall("links-leave", "both say goodbye, without a launcher", 1, 1, 0, 0, 0, true, false),
            new LinkSmall("links-leave-cut", "a connection dies in silence meanwhile", 0, 1, 1, 0, 0, true, true));

    /** Worlds that take longer. */
    static final List<LinkSmall> LARGE = List.of(
            new LinkSmall("links-cut-twice", "one frame, two cuts", 1, 0, 2, 1, 0, false, false),
            new LinkSmall("links-frames", "two frames each way, one cut", 2, 2, 1, 0, 0, false, false),
            new LinkSmall("links-mark-mutual", "each marks the other, one cut", 1, 1, 1, 0, 2, false, false),
            new LinkSmall("links-leave-mark", "both leave, one marks, one cut", 1, 1, 1, 0, 1, true, true));

    static LinkSmall named(String name) {
        return Stream.concat(ALL.stream(), LARGE.stream())
                .filter(world -> world.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no world of links is called " + name));
    }

    int frames(int slot) {
        return slot == 0 ? low : high;
    }

    /** Whether nothing can hinder the two from saying goodbye. */
    boolean isCalm() {
        return cuts == 0 && early == 0 && marks == 0;
    }

    @Override
    public String toString() {
        return name;
    }
}
