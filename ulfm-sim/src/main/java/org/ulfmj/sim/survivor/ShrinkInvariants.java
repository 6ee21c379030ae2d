package org.ulfmj.sim.survivor;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/** What shrink promises; each looks once at every communicator that a rank made. */
final class ShrinkInvariants {
    private ShrinkInvariants() {}

    static void require(Simulation world, List<SimRank> ranks, Journal journal, LiveRanks live) {
        world.must(new SurvivorsShareTheShrunkWorld(ranks, journal, live));
        world.must(new WhoShrinksIsAMember(ranks, journal));
        world.must(new TheKnownDeadAreShrunkAway(ranks, journal));
        world.must(new ShrinkKeepsTheOrder(ranks, journal));
        world.must(new ShrinkIsOneAgreement(ranks, journal));
        world.must(new IdsNeverClash(ranks, journal));
    }

    /** Looks at each new one. */
    private abstract static class ShrunkCheck implements Invariant {
        private final List<SimRank> ranks;
        private final Journal journal;
        private int seen;

        ShrunkCheck(List<SimRank> ranks, Journal journal) {
            this.ranks = ranks;
            this.journal = journal;
        }

        @Override
        public final void afterStep(SimProcess<?, ?> process) {
            while (seen < journal.shrunk().size()) {
                Journal.Shrunk shrunk = journal.shrunk().get(seen++);
                String wrong = wrongWith(shrunk);
                if (wrong != null) {
                    throw new Violation(name() + ": " + shrunk.agreement() + " makes " + shrunk.members() + " with id "
                            + Long.toHexString(shrunk.id()) + " at " + ranks.get(shrunk.slot()) + ": " + wrong);
                }
            }
        }

        final Journal journal() {
            return journal;
        }

        abstract String wrongWith(Journal.Shrunk shrunk);
    }

    /** All live ranks get the same members, in the same order, under the same id. */
    private static final class SurvivorsShareTheShrunkWorld extends ShrunkCheck {
        private final LiveRanks live;

        SurvivorsShareTheShrunkWorld(List<SimRank> ranks, Journal journal, LiveRanks live) {
            super(ranks, journal);
            this.live = live;
        }

        @Override
        String wrongWith(Journal.Shrunk shrunk) {
            int now = live.bits();
            for (Journal.Shrunk other : journal().shrunk()) {
                boolean bothLive = (now & 1 << shrunk.slot()) != 0 && (now & 1 << other.slot()) != 0;
                boolean areAlike = other.id() == shrunk.id() && other.members().equals(shrunk.members());
                if (other.agreement() == shrunk.agreement() && bothLive && !areAlike) {
                    return "live " + other.slot() + " has " + other.members() + " with id "
                            + Long.toHexString(other.id());
                }
            }
            return null;
        }
    }

    /** Whoever returns from shrink is in what it made. */
    private static final class WhoShrinksIsAMember extends ShrunkCheck {
        WhoShrinksIsAMember(List<SimRank> ranks, Journal journal) {
            super(ranks, journal);
        }

        @Override
        String wrongWith(Journal.Shrunk shrunk) {
            return shrunk.members().contains(shrunk.slot()) ? null : "the rank itself is left out";
        }
    }

    /** Whom the caller held for failed before the call is not in what it gets. */
    private static final class TheKnownDeadAreShrunkAway extends ShrunkCheck {
        TheKnownDeadAreShrunkAway(List<SimRank> ranks, Journal journal) {
            super(ranks, journal);
        }

        @Override
        String wrongWith(Journal.Shrunk shrunk) {
            for (int slot : shrunk.failedBefore().toArray()) {
                if (shrunk.members().contains(slot)) {
                    return "it had known of the failure of " + slot;
                }
            }
            return null;
        }
    }

    /** The members keep their order: ranks move up, and never past each other. */
    private static final class ShrinkKeepsTheOrder extends ShrunkCheck {
        ShrinkKeepsTheOrder(List<SimRank> ranks, Journal journal) {
            super(ranks, journal);
        }

        @Override
        String wrongWith(Journal.Shrunk shrunk) {
            SlotRuns old = shrunk.agreement().members();
            int last = -1;
            for (int slot : shrunk.members().toArray()) {
                int rank = old.rank(slot);
                if (rank <= last) {
                    return "process " + slot + " had rank " + rank + " in " + old;
                }
                last = rank;
            }
            return null;
        }
    }

    /** One call of shrink takes one agreement, whatever has failed: the second call on a communicator has number two. */
    private static final class ShrinkIsOneAgreement extends ShrunkCheck {
        private final List<SimRank> ranks;

        ShrinkIsOneAgreement(List<SimRank> ranks, Journal journal) {
            super(ranks, journal);
            this.ranks = ranks;
        }

        @Override
        String wrongWith(Journal.Shrunk shrunk) {
            Journal.Agreement agreement = shrunk.agreement();
            if (!ranks.get(shrunk.slot()).registered().containsKey(agreement.communicator())) {
                return null;
            }
            long calls = journal().calls().stream()
                    .filter(call ->
                            call.slot() == shrunk.slot() && call.agreement().communicator() == agreement.communicator())
                    .count();
            long agreements = ranks.get(shrunk.slot()).core().lastAgreement(agreement.communicator());
            return agreements == calls ? null : agreements + " agreements for " + calls + " calls";
        }
    }

    /** An id means one communicator: one parent, one call on it, one member list. */
    private static final class IdsNeverClash extends ShrunkCheck {
        private final SortedMap<Long, Journal.Shrunk> byId = new TreeMap<>();

        IdsNeverClash(List<SimRank> ranks, Journal journal) {
            super(ranks, journal);
        }

        @Override
        String wrongWith(Journal.Shrunk shrunk) {
            Journal.Shrunk first = byId.putIfAbsent(shrunk.id(), shrunk);
            boolean isSame = first == null
                    || first.agreement() == shrunk.agreement()
                            && first.members().equals(shrunk.members());
            return isSame ? null : first.agreement() + " has made the same id for " + first.members();
        }
    }
}
