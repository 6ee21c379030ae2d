package org.ulfmj.agree.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.SlotSet;

class AgreementValueTest {
    @Test
    void shouldNotDependOnOrderGroupingOrRepetitionWhenCombined() {
        Random random = new Random(1);
        for (int trial = 0; trial < 2_000; trial++) {
            AgreementValue a = anyValue(random);
            AgreementValue b = anyValue(random);
            AgreementValue c = anyValue(random);

            assertThat(a.combine(b).combine(c)).isEqualTo(a.combine(b.combine(c)));
            assertThat(a.combine(b)).isEqualTo(b.combine(a));
            assertThat(a.combine(a)).isEqualTo(a);
            assertThat(a.combine(b).combine(a)).isEqualTo(a.combine(b));
            assertThat(a.combine(AgreementValue.NEUTRAL)).isEqualTo(a);
        }
    }

    @Test
    void shouldKeepTheFlagsOfDifferentCallsApartAndNameTheLowestRankOfEach() {
        AgreementValue value = value(Kind.AGREE, 4, 0b0110)
                .combine(value(Kind.SHRINK, 3, -1))
                .combine(value(Kind.AGREE, 2, 0b1100))
                .combine(value(Kind.SHRINK, 7, -1));

        Decision decision = value.toDecision();

        assertThat(decision.kinds().toString()).isEqualTo("{AGREE=2, SHRINK=3}");
        assertThat(decision.flag(Kind.AGREE)).isEqualTo(0b0100);
        assertThat(decision.isOfOneKind()).isFalse();
    }

    @Test
    void shouldReportAFailureUnlessEveryContributorAcknowledgedIt() {
        AgreementValue acknowledged = AgreementValue.of(
                new Contribution(Kind.AGREE, 1, SlotSet.of(2, 4)), 0, SlotSet.of(4), Long.MAX_VALUE, 0);
        AgreementValue unacknowledged = AgreementValue.of(
                new Contribution(Kind.AGREE, 1, SlotSet.of(4)), 1, SlotSet.of(2, 4), Long.MAX_VALUE, 0);

        assertThat(acknowledged.toDecision().failureUnacknowledged()).isFalse();
        assertThat(acknowledged.withFailed(SlotSet.of(2)).toDecision().failureUnacknowledged())
                .isFalse();
        assertThat(acknowledged.combine(unacknowledged).toDecision().failureUnacknowledged())
                .isTrue();
    }

    @Test
    void shouldCollectOnlyWhatEveryContributorStores() {
        AgreementValue threeToFive = stored(3, 5);
        AgreementValue fourToNine = stored(4, 9);
        AgreementValue nothing = stored(Long.MAX_VALUE, 0);

        Decision decision = threeToFive.combine(fourToNine).toDecision();
        assertThat(decision.collectFrom()).isEqualTo(4);
        assertThat(decision.collectTo()).isEqualTo(5);
        Decision empty = threeToFive.combine(nothing).toDecision();
        assertThat(empty.collectFrom()).isGreaterThan(empty.collectTo());
    }

    private static AgreementValue value(Kind kind, int rank, int flag) {
        return AgreementValue.of(new Contribution(kind, flag, SlotSet.ALL), rank, SlotSet.EMPTY, Long.MAX_VALUE, 0);
    }

    private static AgreementValue stored(long from, long to) {
        return AgreementValue.of(new Contribution(Kind.AGREE, -1, SlotSet.ALL), 0, SlotSet.EMPTY, from, to);
    }

    private static AgreementValue anyValue(Random random) {
        AgreementValue value = AgreementValue.NEUTRAL;
        for (int contributors = random.nextInt(4); contributors > 0; contributors--) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            SlotSet acknowledged = random.nextInt(3) == 0 ? SlotSet.ALL : anySet(random);
            value = value.combine(AgreementValue.of(
                    new Contribution(kind, random.nextInt(), acknowledged),
                    random.nextInt(8),
                    anySet(random),
                    random.nextInt(5),
                    random.nextInt(9)));
        }
        return value;
    }

    private static SlotSet anySet(Random random) {
        return SlotSet.of(random.ints(random.nextInt(4), 0, 6).toArray());
    }
}
