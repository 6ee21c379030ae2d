package org.ulfmj.check.exhaustive;

import java.util.List;

/**
 * A small world: who is in it, what its ranks call, and how much may go wrong. All ranks run the same program; when
 * each step of it happens is free.
 *
 * @param name for the command line
 * @param about what it shows, in a few words
 * @param ranks 2 to 8
 * @param crashes how many ranks may die, at any moment, also between two messages of one step; one rank always lives on
 * @param suspicions how many times a rank may mark a living one failed
 * @param program what each rank does, one after the other
 * @param acknowledgements what a rank may have acknowledged when it enters an agreement
 * @param revokers slots that may, besides their program, revoke COMM_WORLD at any moment, once
 * @param housekeepers slots that name a freed communicator at once
 * @param news how the news of a death travels
 * @param beats whether the ranks also start their heartbeat ring, in which no time passes
 * @param launcherAnswers whether a launcher tells every process of those that have left
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
        boolean launcherAnswers) {

    /** One step of a program. */
    enum Act {
        AGREE,
        AGREE_UNIFORM,
        IAGREE,
        SHRINK,
        /** The rank revokes the communicator that its program is on. */
        REVOKE,
        /** The rank makes a communicator of all, the first or the second. */
        MAKE,
        /** The rank frees one: those with even slots in the order of making, those with odd ones against it. */
        FREE,
        /** All but the last rank free the first one. */
        FREE_BUT_LAST,
        FINALIZE
    }

    /** What a rank has acknowledged when it enters. */
    enum Acknowledgements {
        /** Everything: the answer never raises an error. */
        ALL,
        /** All failures that it knows, or none: both are tried. */
        ALL_OR_NONE
    }

    /** How ranks learn of a death. */
    enum News {
        /**
         * Each on its own, at any time after the death; obituaries on their way are left out. They could only bring
         * earlier what may come at any time all the same, so with certain evidence this leaves out no schedule.
         */
        TOLD,
        /** Each on its own, at any time, or by an obituary, which travels in line with all other messages. */
        TOLD_AND_FRAMES,
        /** The dead rank's successor is told; all others hear it by obituaries. */
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

        Builder(String name, int ranks, String about) {
            this.name = name;
            this.ranks = ranks;
            this.about = about;
        }

        Builder crashes(int atMost) {
            crashes = atMost;
            return this;
        }

        /** Suspicions spread by obituaries, so these travel. */
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
                    launcherAnswers);
        }
    }

    static Builder named(String name, int ranks, String about) {
        return new Builder(name, ranks, about);
    }

    boolean framesTravel() {
        return news != News.TOLD;
    }
}
