package org.ulfmj.check.mutant;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** The trials of mutants, each of which must catch its mutant. The trials in large worlds are not among them. */
public final class Gate {
    private Gate() {}

    public static List<Trial> all() {
        List<Trial> all = new ArrayList<>(AgreementMutants.trials());
        all.addAll(ofUniformity());
        all.addAll(CoreMutants.trials());
        all.addAll(HousekeepingMutants.trials());
        all.addAll(RingMutants.trials());
        all.addAll(OrphanMutants.trials());
        all.addAll(LinkMutants.trials());
        all.addAll(ReplaceMutants.trials());
        all.addAll(GrowMutants.trials());
        all.addAll(RendezvousMutants.trials());
        all.addAll(RoundsMutants.trials());
        all.addAll(HostsMutants.trials());
        all.addAll(ElasticHostsMutants.trials());
        all.addAll(StoreMutants.trials());
        all.addAll(ElectionMutants.trials());
        all.addAll(ElectedElasticMutants.trials());
        return all;
    }

    private static List<Trial> ofUniformity() {
        return List.of(
                uniform(UniformMutants.U2, "2..9", 100, "they differ"),
                uniform(UniformMutants.QUORUM, "2..4", 1_000, "no returner differs"),
                uniform(UniformMutants.MORE_THAN_HALF, "2..4", 1_000, "no returner differs"),
                uniform(UniformMutants.OF_WHOM_THE_LAST_LEFT, "2..4", 4_000, "no returner differs"));
    }

    private static Trial uniform(Mutant mutant, String ranks, long within, String broken) {
        return new Trial(mutant, Trial.Where.SEEDS, "uniform", ranks, within, List.of(broken));
    }

    /** Whether a mutant was caught within the limit of its trial, and by one of the expected invariants. */
    public static boolean isPassed(Trial trial, Hunt.Catch caught) {
        return caught.isCaught()
                && caught.tried() <= trial.within()
                && trial.broken().stream().anyMatch(caught.broken()::contains);
    }
}
