package org.ulfmj.check.exhaustive;

import java.util.Arrays;
import java.util.List;
import org.ulfmj.check.exhaustive.World.Acknowledgements;
import org.ulfmj.check.exhaustive.World.Act;
import org.ulfmj.check.exhaustive.World.News;

/** The worlds whose every state is visited. */
final class SmallWorlds {
    private SmallWorlds() {}

    /** Worlds of single protocols, and of the smaller combinations. */
    static final List<World> SMALL = worlds(
            World.named("agree", 4, "one agreement, all that is known acknowledged or nothing")
                    .crashes(2)
                    .program(Act.AGREE)
                    .acknowledging(Acknowledgements.ALL_OR_NONE),
            World.named("agree-news", 3, "one agreement, with obituaries in line with its messages")
                    .crashes(2)
                    .program(Act.AGREE)
                    .acknowledging(Acknowledgements.ALL_OR_NONE)
                    .news(News.TOLD_AND_FRAMES),
            World.named("agree-twice", 3, "two agreements in a row, the first one's decision is dropped")
                    .crashes(2)
                    .program(Act.AGREE, Act.AGREE),
            World.named("agree-overlapping", 3, "three non-blocking agreements at once")
                    .crashes(2)
                    .program(Act.IAGREE, Act.IAGREE, Act.IAGREE),
            World.named("agree-suspicion", 3, "one agreement, one rank is suspected falsely")
                    .crashes(1)
                    .suspicions(1)
                    .program(Act.AGREE),
            World.named("agree-uniform", 3, "one uniform agreement; a rank that returns binds all live ranks")
                    .crashes(2)
                    .program(Act.AGREE_UNIFORM)
                    .acknowledging(Acknowledgements.ALL_OR_NONE),
            World.named("agree-uniform-suspicion", 3, "one uniform agreement, one rank is suspected falsely")
                    .crashes(1)
                    .suspicions(1)
                    .program(Act.AGREE_UNIFORM),
            World.named("agree-mutual", 2, "two ranks that may each suspect the other")
                    .crashes(1)
                    .suspicions(2)
                    .program(Act.AGREE),
            World.named("agree-groups", 4, "one agreement on an inter-communicator of two and two ranks")
                    .crashes(1)
                    .program(Act.AGREE_OF_GROUPS)
                    .acknowledging(Acknowledgements.ALL_OR_NONE),
            World.named(
                            "agree-hosts",
                            4,
                            "one agreement on two hosts: the leader of three ranks is a child of the root")
                    .crashes(2)
                    .program(Act.AGREE)
                    .hosts(1L, 2L, 2L, 2L),
            World.named("agree-hosts-apart", 4, "one agreement on two hosts whose ranks are not contiguous")
                    .crashes(1)
                    .program(Act.AGREE)
                    .acknowledging(Acknowledgements.ALL_OR_NONE)
                    .hosts(1L, 2L, 2L, 1L),
            World.named("agree-hosts-suspicion", 3, "one agreement on two hosts, one rank is suspected falsely")
                    .crashes(1)
                    .suspicions(1)
                    .program(Act.AGREE)
                    .hosts(1L, 2L, 2L),
            World.named("revoke", 4, "any ranks revoke one communicator at any time")
                    .crashes(2)
                    .revokedBy(0, 1, 2, 3),
            World.named("shrink", 4, "one shrink, and the communicator that it makes")
                    .crashes(2)
                    .program(Act.SHRINK),
            World.named("shrink-agree", 3, "one shrink, and an agreement on what it makes")
                    .crashes(2)
                    .program(Act.SHRINK, Act.AGREE),
            World.named("finalize", 4, "all ranks leave").crashes(2).program(Act.FINALIZE),
            World.named("finalize-news", 3, "all ranks leave; a death is told to one of them, and all hear of it")
                    .crashes(2)
                    .program(Act.FINALIZE)
                    .news(News.FRAMES),
            World.named("finalize-alone", 3, "all ranks leave, and no launcher answers for those that have left")
                    .crashes(2)
                    .program(Act.FINALIZE)
                    .withoutLauncher(),
            World.named("obituaries", 4, "a death is told to one rank, and all hear of it")
                    .crashes(2)
                    .news(News.FRAMES),
            World.named(
                            "obituaries-suspicion",
                            4,
                            "one rank is suspected, falsely or not, and all hear of it, itself too")
                    .crashes(1)
                    .suspicions(1),
            World.named("ring", 4, "the heartbeat ring closes over the dead; no time passes")
                    .crashes(2)
                    .news(News.TOLD_AND_FRAMES)
                    .beating(),
            World.named("agree-revoke", 4, "one agreement while one rank revokes")
                    .crashes(2)
                    .program(Act.AGREE)
                    .revokedBy(0),
            World.named("agree-revoke-shrink", 3, "an agreement, then all revoke, then shrink")
                    .crashes(2)
                    .program(Act.AGREE, Act.REVOKE, Act.SHRINK),
            World.named("housekeeping", 3, "one communicator, which one rank may revoke, is made, freed and forgotten")
                    .crashes(1)
                    .program(Act.MAKE, Act.FREE)
                    .revokedBy(1)
                    .housekeptBy(0),
            World.named("housekeeping-two", 2, "two ranks name two communicators that they free in opposite orders")
                    .crashes(1)
                    .program(Act.MAKE, Act.MAKE, Act.FREE, Act.FREE)
                    .housekeptBy(0, 1),
            World.named(
                            "housekeeping-finalize",
                            3,
                            "all leave, one of them with a communicator that the others have freed")
                    .crashes(1)
                    .program(Act.MAKE, Act.FREE_BUT_LAST, Act.FINALIZE)
                    .housekeptBy(0));

    /** Larger worlds, which the command visits only if they are asked for. */
    static final List<World> LARGE = worlds(
            World.named("agree-uniform-4", 4, "one uniform agreement; a rank that returns binds all live ranks")
                    .crashes(2)
                    .program(Act.AGREE_UNIFORM),
            World.named("agree-4-3", 4, "one agreement, of which one rank is left")
                    .crashes(3)
                    .program(Act.AGREE)
                    .acknowledging(Acknowledgements.ALL_OR_NONE),
            World.named("agree-5", 5, "one agreement of five ranks").crashes(2).program(Act.AGREE),
            World.named("agree-hosts-5", 5, "one agreement of five ranks on two hosts")
                    .crashes(2)
                    .program(Act.AGREE)
                    .hosts(1L, 2L, 2L, 1L, 2L),
            World.named(
                            "agree-hosts-twice",
                            4,
                            "two agreements in a row on two hosts; the second may have another leader")
                    .crashes(2)
                    .program(Act.AGREE, Act.AGREE)
                    .hosts(1L, 2L, 2L, 2L),
            World.named("agree-news-4", 4, "one agreement, with obituaries in line with its messages")
                    .crashes(2)
                    .program(Act.AGREE)
                    .news(News.TOLD_AND_FRAMES),
            World.named("agree-twice-4", 4, "two agreements in a row")
                    .crashes(2)
                    .program(Act.AGREE, Act.AGREE),
            World.named("housekeeping-both", 3, "one communicator, which one rank may revoke, is named by two")
                    .crashes(1)
                    .program(Act.MAKE, Act.FREE)
                    .revokedBy(1)
                    .housekeptBy(0, 1),
            World.named("housekeeping-two-3", 3, "two ranks of three name two communicators")
                    .program(Act.MAKE, Act.MAKE, Act.FREE, Act.FREE)
                    .housekeptBy(0, 1),
            World.named("agree-revoke-all", 4, "one agreement while any ranks revoke")
                    .crashes(2)
                    .program(Act.AGREE)
                    .revokedBy(0, 1, 2, 3),
            World.named("agree-suspicion-4", 4, "one agreement, one rank is suspected falsely")
                    .crashes(1)
                    .suspicions(1)
                    .program(Act.AGREE),
            World.named("agree-revoke-shrink-4", 4, "an agreement, then all revoke, then shrink")
                    .crashes(1)
                    .program(Act.AGREE, Act.REVOKE, Act.SHRINK));

    private static List<World> worlds(World.Builder... worlds) {
        return Arrays.stream(worlds).map(World.Builder::build).toList();
    }
}
