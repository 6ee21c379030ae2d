package org.ulfmj.benchmarks.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogPWorldTest {
    private static final LogP COSTS = new LogP(100, 10, 10, 0);

    private final List<String> received = new ArrayList<>();

    @Test
    void shouldTakeLatencyAndTwoOverheadsForAMessage() {
        LogPWorld<String> world = world(2, Network.uniform(COSTS));
        world.at(0, 0, rank -> world.send(1, "a"));

        assertThat(world.run()).isEqualTo(120);
        assertThat(received).containsExactly("a at 120");
        assertThat(world.messages()).isEqualTo(1);
    }

    @Test
    void shouldSendAndReceiveOneThingAfterTheOther() {
        LogPWorld<String> world = world(3, Network.uniform(COSTS));
        world.at(0, 0, rank -> {
            world.send(2, "a");
            world.send(2, "b");
        });
        world.at(0, 1, rank -> world.send(2, "c"));

        world.run();

        assertThat(received).containsExactly("a at 120", "c at 130", "b at 140");
    }

    @Test
    void shouldKeepTheGapBetweenSendsWhenItIsLongerThanTheOverhead() {
        LogPWorld<String> world = world(3, Network.uniform(new LogP(100, 10, 25, 0)));
        world.at(0, 0, rank -> {
            world.send(1, "a");
            world.send(2, "b");
        });

        world.run();

        assertThat(received).containsExactly("a at 120", "b at 145");
    }

    @Test
    void shouldChargeTheBytesOfAMessageOnTheWay() {
        LogPWorld<String> world = world(2, Network.uniform(new LogP(100, 10, 10, 2)));
        world.at(0, 0, rank -> world.send(1, "12345"));

        world.run();

        assertThat(received).containsExactly("12345 at 130");
        assertThat(world.largestBytes()).isEqualTo(5);
    }

    @Test
    void shouldQueueAtTheInterfaceThatRanksShareButNotWithinTheNode() {
        LogP near = new LogP(1, 10, 0, 0);
        LogPWorld<String> world = world(4, Network.packedBehindOneInterface(2, near, new LogP(100, 10, 50, 0)));
        world.at(0, 0, rank -> world.send(2, "far"));
        world.at(0, 1, rank -> {
            world.send(3, "queued");
            world.send(0, "near");
        });

        world.run();

        assertThat(received).containsExactly("near at 31", "far at 120", "queued at 170");
    }

    @Test
    void shouldComputeBeforeWhatComesNextAndGiveTheDeadNothing() {
        LogPWorld<String> world = world(3, Network.uniform(COSTS));
        world.at(5, 0, rank -> {
            world.compute(40);
            world.send(1, "late");
            world.send(2, "lost");
        });
        world.kill(2);

        world.run();

        assertThat(received).containsExactly("late at 165");
    }

    @Test
    void shouldRefuseASendOutsideOfAnyRank() {
        LogPWorld<String> world = world(2, Network.uniform(COSTS));

        assertThatThrownBy(() -> world.send(1, "whose"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no rank runs: send and compute belong into a step of a rank");
    }

    private LogPWorld<String> world(int ranks, Network network) {
        List<LogPWorld<String>> self = new ArrayList<>();
        self.add(new LogPWorld<>(
                ranks,
                network,
                String::length,
                (rank, from, message) ->
                        received.add(message + " at " + Math.round(self.get(0).nowNs()))));
        return self.get(0);
    }
}
