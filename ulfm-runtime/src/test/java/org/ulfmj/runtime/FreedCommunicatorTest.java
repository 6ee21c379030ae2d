package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Inside;

/**
 * Shows that a communicator which is revoked, or has a dead member, leaves the engine once it is freed, for each of
 * five calls that make one.
 */
class FreedCommunicatorTest {
    private static final int LENGTH = 1000;
    private static final int[] BOTH = {0, 1};

    static Stream<Named<Function<Communicator, Communicator>>> makers() {
        return Stream.of(
                Named.of("dup", world -> world.creation().dup()),
                Named.of("split", world -> world.creation().split(3, 0)),
                Named.of("create", world -> world.creation().create(BOTH)),
                Named.of("createGroup", world -> world.creation().createGroup(BOTH, 7)),
                Named.of("shrink", world -> world.recovery().shrink()));
    }

    @ParameterizedTest
    @MethodSource("makers")
    void shouldLeaveNothingOfARevokedCommunicatorWithOperationsUnderWay(Function<Communicator, Communicator> maker)
            throws Exception {
        try (LocalRanks ranks = new LocalRanks(
                2,
                settings -> settings.withEager(LENGTH, 2 * EagerCredit.costBytes(MessageKey.POINT_TO_POINT, LENGTH)))) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                int other = 1 - world.rank();
                Communicator made = maker.apply(world);
                made.receive(Messages.payload(new byte[LENGTH]), other, 5);
                made.receive(Messages.payload(new byte[LENGTH]), Communicator.ANY_SOURCE, 6);
                made.send(Messages.payload(new byte[LENGTH]), other, 1, SendMode.STANDARD);
                made.send(Messages.payload(new byte[LENGTH]), other, 1, SendMode.SYNCHRONOUS);
                made.send(Messages.payload(new byte[100 * LENGTH]), other, 1, SendMode.STANDARD);
                if (world.rank() == 0) {
                    made.recovery().revoke();
                }
                made.free();
                assertThat(made.isFreed()).isTrue();

                RankEngine engine = rank.engine();
                EagerCredit credit = Inside.credit(engine.traffic(), ProcessId.of(other));
                RankPolling.untilUnderLock(
                        ranks, engine, () -> engine.communicators().all().size() == 2 && credit.allows(LENGTH));
                assertThat(engine.inbound().heldFrames()).isZero();
                world.collectives().run(new BarrierSchedule());
            });
        }
    }

    @ParameterizedTest
    @MethodSource("makers")
    void shouldLeaveNothingOfACommunicatorWithADeadMember(Function<Communicator, Communicator> maker) throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        Communicator made = maker.apply(rank.world());
                        made.receive(Messages.payload(new byte[LENGTH]), 1, 5);
                        made.send(Messages.payload(new byte[1000 * LENGTH]), 1, 1, SendMode.STANDARD);
                        Messages.send(rank.world(), new byte[0], 1, 0);
                        made.free();

                        RankEngine engine = rank.engine();
                        RankPolling.untilUnderLock(
                                ranks,
                                engine,
                                () -> engine.communicators().all().size() == 2);
                    },
                    rank -> {
                        maker.apply(rank.world());
                        Messages.receive(rank.world(), 0, 0, 0);
                        ranks.kill(1);
                    });
        }
    }
}
