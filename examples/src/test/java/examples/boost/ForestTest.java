package examples.boost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForestTest {
    private static final int TREES = 60;

    @ParameterizedTest
    @EnumSource
    void shouldTellMassesItHasNotSeenWhenItLearnedFromTheOthers(LossFunction loss) {
        Forest forest = learned(loss, TREES);
        assertThat(forest.countTold(Masses.test(), loss)).isGreaterThan(Masses.TEST_COUNT * 93 / 100);
    }

    @Test
    void shouldBeTheSameWhenItWasSavedAndGrownOn() {
        Forest atOnce = learned(LossFunction.LOGISTIC, TREES);
        Masses masses = Masses.training(0, Masses.TRAINING_COUNT);
        Forest inTwo = Forest.of(learned(LossFunction.LOGISTIC, TREES / 2).toBytes());
        Grower grower = new Grower(masses, LossFunction.LOGISTIC, cuts(masses));
        grower.goOnFrom(inTwo);
        while (inTwo.size() < TREES) {
            grower.growOn(inTwo, sums -> {});
        }
        assertThat(inTwo.toBytes()).isEqualTo(atOnce.toBytes());
    }

    @Test
    void shouldNameWhatIsAllowedWhenALossIsUnknown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LossFunction.named("hinge"))
                .withMessage("loss is 'hinge', it must be squared or logistic");
    }

    private static Forest learned(LossFunction loss, int trees) {
        Masses masses = Masses.training(0, Masses.TRAINING_COUNT);
        Grower grower = new Grower(masses, loss, cuts(masses));
        Forest forest = new Forest();
        while (forest.size() < trees) {
            grower.growOn(forest, sums -> {});
        }
        return forest;
    }

    private static Cuts cuts(Masses masses) {
        double[] least = new double[Masses.FEATURES];
        double[] greatest = new double[Masses.FEATURES];
        for (int feature = 0; feature < Masses.FEATURES; feature++) {
            least[feature] = Double.POSITIVE_INFINITY;
            greatest[feature] = Double.NEGATIVE_INFINITY;
            for (int mass = 0; mass < masses.count(); mass++) {
                least[feature] = Math.min(least[feature], masses.measure(mass, feature));
                greatest[feature] = Math.max(greatest[feature], masses.measure(mass, feature));
            }
        }
        return new Cuts(least, greatest);
    }
}
