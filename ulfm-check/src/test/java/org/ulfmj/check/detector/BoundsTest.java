package org.ulfmj.check.detector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Outcome;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.Schedule;
import org.ulfmj.sim.Simulation;

class BoundsTest {
    private static final long MS = 1_000_000;
    private static final Timing TIMING = Timing.fromTimeout(1_000 * MS);

    @Test
    void shouldFollowTheFormulaOfTheDocsWhenFourOfSixteenHaveEnded() {
        Bounds bounds = new Bounds(TIMING, 10 * MS, 0, 30 * MS, 16);
        long slackNs = 1_000 * MS + (long) (StrictMath.log(16) * 1_000 * MS);
        long knownNs = slackNs + (2_000 + 100 + 1_000 + 100) * MS + 160 * MS;
        assertThat(bounds.failuresKnownNs(4)).isEqualTo(knownNs);
        assertThat(bounds.agreementNs(4)).isEqualTo(knownNs + 30 * MS + 6 * 5 * 10 * MS);
        assertThat(bounds.uniformNs(4)).isEqualTo(knownNs + 2 * (30 * MS + 6 * 5 * 10 * MS));
        assertThat(bounds.revokeNs(4)).isEqualTo(knownNs + 160 * MS);
        assertThat(bounds.judgedNs(4, 0)).isEqualTo(knownNs + 500 * MS);
        assertThat(bounds.judgedNs(4, 2)).isEqualTo(knownNs + 2_500 * MS);
        assertThat(bounds.judgedByRanksNs(4)).isEqualTo(knownNs + 1_000 * MS + 16 * 250 * MS);
    }

    @Test
    void shouldReportWhatIsOpenWhenItDoesNotCloseWithinItsBound() {
        Outcome outcome = new Schedule(new NeverDone(60_000 * MS), 2, 1).run(EventLog.hashing());
        assertThat(outcome.violation()).isNotNull();
        assertThat(outcome.violation().getMessage()).contains("of them without a fault or a call", "it never ends");
        assertThat(outcome.violation().kind()).isEqualTo("hangs: never closed");
        assertThat(outcome.virtualNs()).isBetween(1_500 * MS, 1_700 * MS);
    }

    @Test
    void shouldReportAnInvariantThatIsOpenAfterItsOwnBoundWhenThatOfTheWorldIsLarger() {
        Outcome outcome = new Schedule(new NeverDone(200 * MS), 2, 1).run(EventLog.hashing());
        assertThat(outcome.violation()).isNotNull();
        assertThat(outcome.violation().kind()).isEqualTo("hangs: never closed");
        assertThat(outcome.virtualNs()).isBetween(1_200 * MS, 1_400 * MS);
    }

    /**
     * A scenario with one fault after one second and a bound of half a second after it, whose invariant stays open for
     * ever. The invariant has a bound besides, {@code ownBoundNs}.
     */
    private record NeverDone(long ownBoundNs) implements Scenario {
        @Override
        public String name() {
            return "never done";
        }

        @Override
        public void build(Simulation world) {
            world.faultAt(1_000 * MS, () -> {});
            world.bound(failures -> 500 * MS);
            world.must(new NeverClosed(), failures -> ownBoundNs);
        }
    }

    private static final class NeverClosed implements Invariant {
        @Override
        public String open() {
            return "it never ends";
        }
    }
}
