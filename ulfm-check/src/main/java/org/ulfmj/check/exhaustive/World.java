package org.ulfmj.check.exhaustive;

import java.util.List;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Placement;

/**
 * A small world: its ranks, their program, and the number of faults. All ranks run the same program.
 *
 * @param name for the command line
 * @param about the purpose of the world, in a few words
 * @param ranks the number of ranks, at least 2
 * @param crashes how many ranks may die, at any moment, also between two messages of one step; a rank dies only while
 *     another one runs
 * @param suspicions how many times in one schedule, over all ranks, a rank may mark a living one failed
 * @param program the calls that each rank makes, in order
 * @param acknowledgements the failures that a rank may have acknowledged when it enters an agreement
 * @param revokers slots that may, besides their program, revoke a communicator at any moment, once
 * @param housekeepers slots that begin housekeeping as soon as they have freed one communicator
 * @param news how the news of a death travels
 * @param beats whether the ranks also start their heartbeat ring, in which no time passes
 * @param launcherAnswers whether a launcher tells every process of those that have left
 * @param hosts the host of each rank, by a number; empty if all are on one host
 */
record World(
        String name,
        String about,
        int ranks,
        int crashes,
        int suspicions,
        List<Act> program,
        Acknowledgements acknowledgements,
        List<Integer> revokers,
        List<Integer> housekeepers,
        News news,
        boolean beats,
        boolean launcherAnswers,
        List<Long> hosts) {

    /** One step of a program. */
    enum Act {
        AGREE,
        AGREE_UNIFORM,
        /** An agreement on an inter-communicator: the lower half of the slots is the first group. */
        AGREE_OF_GROUPS,
        IAGREE,
        SHRINK,
        /** The rank revokes the communicator that its program uses. */
        REVOKE,
        /** The rank makes a communicator of all ranks; a program does so up to twice. */
        MAKE,
        /**
         * The rank frees one of the communicators that it made and has not freed: in even slots the first one, in odd
         * slots the last one.
         */
        FREE,
        /** All ranks but the last free the communicator that was made first. */
        FREE_BUT_LAST,
        FINALIZE
    }

    /** Which failures count as acknowledged by a rank when it enters an agreement; in SHRINK and FINALIZE all do. */
    enum Acknowledgements {
        /** All slots, so that the agreement never raises an error. */
        ALL,
        /** All failures that the rank knows, or none: both are tried. */
        ALL_OR_NONE
    }

    /** How ranks learn of a death. */
    enum News {
        /**
         * Each rank is told of a death separately, at any time after it, and obituaries are left out of the search. An
         * obituary could only bring the news earlier, and the news may come at any time anyway. As all evidence is
         * certain, no schedule is lost.
         */
        TOLD,
        /**
         * A rank is told of a death by the launcher at any time, or by an obituary, which arrives in order with all
         * other messages of its link.
         */
        TOLD_AND_FRAMES,
        /** Only the nearest running successor of the dead rank is told. Others learn of the death by obituaries. */
        FRAMES
    }

    static final class Builder {
        private final String name;
        private final String about;
        private final int ranks;
        private int crashes;
        private int suspicions;
        private List<Act> program = List.of();
        private Acknowledgements acknowledgements = Acknowledgements.ALL;
        private List<Integer> revokers = List.of();
        private List<Integer> housekeepers = List.of();
        private News news = News.TOLD;
        private boolean beats;
        private boolean launcherAnswers = true;
        private List<Long> hosts = List.of();

        Builder(String name, int ranks, String about) {
            this.name = name;
            this.ranks = ranks;
            this.about = about;
        }

        Builder crashes(int atMost) {
            crashes = atMost;
            return this;
        }

        /**
         * Allows this many suspicions. The news of a suspicion spreads by obituaries, so obituaries are not left out of
         * such a world.
         */
        Builder suspicions(int atMost) {
            suspicions = atMost;
            news = News.TOLD_AND_FRAMES;
            return this;
        }

        Builder program(Act... acts) {
            program = List.of(acts);
            return this;
        }

        Builder acknowledging(Acknowledgements choice) {
            acknowledgements = choice;
            return this;
        }

        Builder revokedBy(Integer... slots) {
            revokers = List.of(slots);
            return this;
        }

        Builder housekeptBy(Integer... slots) {
            housekeepers = List.of(slots);
            return this;
        }

        Builder news(News way) {
            news = way;
            return this;
        }

        Builder beating() {
            beats = true;
            return this;
        }

        Builder withoutLauncher() {
            launcherAnswers = false;
            return this;
        }

        Builder hosts(Long... ofRanks) {
            hosts = List.of(ofRanks);
            return this;
        }

        World build() {
            return new World(
                    name,
                    about,
                    ranks,
                    crashes,
                    suspicions,
                    program,
                    acknowledgements,
                    revokers,
                    housekeepers,
                    news,
                    beats,
                    launcherAnswers,
                    hosts);
        }
    }

    /** The members of the world, and on which hosts they are. */
    Membership membership() {
        Membership members = Membership.initial(ranks);
        return hosts.isEmpty()
                ? members
                : members.on(Placement.of(
                        members.slots(),
                        hosts.stream().mapToLong(Long::longValue).toArray()));
    }

    static Builder named(String name, int ranks, String about) {
        return new Builder(name, ranks, about);
    }

    /** Whether a slot is in the first group, for {@link Act#AGREE_OF_GROUPS}. */
    boolean isOfFirstGroup(int slot) {
        return slot < ranks / 2;
    }

    boolean framesTravel() {
        return news != News.TOLD;
    }
}
