package org.ulfmj.check.survivor;

import java.util.List;

/** Any process that returns from shrink is in what it made. */
final class WhoShrinksIsAMember extends ShrunkCheck {
    WhoShrinksIsAMember(List<SurvivorRank> ranks, Journal journal) {
        super(ranks, journal);
    }

    @Override
    String wrongWith(Journal.Shrunk shrunk) {
        return shrunk.members().contains(shrunk.slot()) ? null : "the rank itself is left out";
    }
}
