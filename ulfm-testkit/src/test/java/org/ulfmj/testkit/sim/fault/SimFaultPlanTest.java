package org.ulfmj.testkit.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.testkit.sim.SimWorld;

class SimFaultPlanTest {
    private static final long TIMEOUT_NS = 5_000_000_000L;

    private static List<String> draw(String text, int ranks, long seed) {
        return SimFaultPlan.parse(List.of(text), ranks).draw(SeededRandom.of(seed, "test"), TIMEOUT_NS, 0).stream()
                .map(SimFault::toString)
                .collect(Collectors.toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill:rank=2@op=allreduce#100",
                "kill:rank=2@iter=4",
                "kill:rank=2@op=send#3/mid",
                "vanish:rank=1@t=2ms",
                "kill:rank=2,inc=1@op=allreduce#3",
                "kill:rank=1,inc=*@op=*#7",
                "kill:rank=1,inc=2@t=2ms",
                "crash:rank=3@frame=7",
                "crash:rank=3,inc=2@byte=70",
                "launcher@t=2ms",
                "pause:rank=0:for=3s@op=*#9",
                "mute:rank=2,inc=1@op=*#9",
                "suspect:rank=1:by=0@t=5us",
                "cut:rank=1:to=3:for=10s@t=0s"
            })
    void shouldWriteAFaultAsItWasRead(String text) {
        assertThat(draw(text, 4, 1)).containsExactly(text);
    }

    @Test
    void shouldReadWhatRabitWrites() {
        assertThat(draw("mock=2,1,0,1", 4, 1)).containsExactly("kill:rank=2,inc=1@v=1,seq=0");
        assertThat(draw("kill:rank=2,inc=1@v=1,seq=0", 4, 1)).containsExactly("kill:rank=2,inc=1@v=1,seq=0");
    }

    @Test
    void shouldReadWhatItHasDrawn() {
        String plan = "random;kill:rank=any(2)@op=*;crash:rank=any(1)@frame=random;pause:rank=0@t=random;"
                + "mute:rank=0@t=random;suspect:rank=1@t=random;cut:rank=2@t=random";
        Set<String> actions = new TreeSet<>();
        for (int seed = 0; seed < 200; seed++) {
            List<String> drawn = draw(plan, 8, seed);
            assertThat(draw(String.join(";", drawn), 8, seed + 1)).isEqualTo(drawn);
            assertThat(draw(plan, 8, seed)).isEqualTo(drawn);
            drawn.forEach(fault -> actions.add(fault.substring(0, fault.indexOf(':'))));
        }
        assertThat(actions).containsExactly("crash", "cut", "kill", "mute", "pause", "suspect", "vanish");
    }

    @Test
    void shouldLeaveOneRankAliveWhenAllIsLeftToTheSeed() {
        Set<Integer> deaths = new TreeSet<>();
        for (int seed = 0; seed < 300; seed++) {
            List<SimFault> drawn =
                    SimFaultPlan.parse(List.of("random"), 4).draw(SeededRandom.of(seed, "test"), TIMEOUT_NS, 0);
            assertThat(drawn.stream().filter(SimFault::isDeath).map(SimFault::rank))
                    .doesNotHaveDuplicates();
            deaths.add((int) drawn.stream().filter(SimFault::isDeath).count());
        }
        assertThat(deaths).containsExactly(0, 1, 2, 3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill|a rule is written ACTION:rank=R@WHEN, as in kill:rank=2@op=send#3, or random",
                "stop:rank=1@t=1s|unknown action 'stop'; known: kill, vanish, crash, suspect, pause, mute, cut, launcher@, random",
                "vanish:rank=1@byte=70|only a crash comes at a byte: write crash:rank=1@byte=70",
                "kill:rank=1@byte=random(9)|only a crash comes at a byte: write crash:rank=1@byte=random(9)",
                "launcher@op=send|launcher goes by the clock: write t=2ms or t=random",
                "vanish:rank=9@t=1s|there is no rank 9 among 4 (0 to 3)",
                "pause:rank=1:to=2@t=1s|'to=2' is no option of pause; known: [for]",
                "kill::@|'' is no option of kill; kill has no options",
                "kill:rank=1:for=1s@t=1s|'for=1s' is no option of kill; kill has no options",
                "pause:rank=1:for=1s:for=2s@t=1s|'for' is there twice",
                "pause:rank=1:for=0s@t=1s|for: 0s must be at least 1ns; without it the seed chooses",
                "cut:rank=0-2:to=1@t=1s|rank 1 cannot be cut off from, or suspect, itself",
                "suspect:rank=1:by=1@t=1s|rank 1 cannot be cut off from, or suspect, itself",
                "crash:rank=1@frame=0|frame: 0 must be from 1 to 2147483647",
                "crash:rank=1@t=1s|a crash comes between two frames: write frame=7, frame=random, frame=random(100), or byte= and the like",
                "cut:rank=1@op=send|cut goes by the clock: write t=2ms or t=random",
                "suspect:rank=1:by=4@t=1s|by: rank 4 must be from 0 to 3",
                "random(4)|random(K): 4 must be from 0 to 3",
                "kill:rank=1@op=alreduce|unknown operation 'alreduce'; the nearest known one is allreduce (or * for any)"
            })
    void shouldSayWhatIsWrongWithARule(String text, String why) {
        assertThatThrownBy(() -> SimWorld.of(4).faults(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("faults '" + text + "': " + why);
    }

    @Test
    void shouldSayWhatIsWrongWithADuration() {
        assertThatThrownBy(() -> SimWorld.of(4).faults("pause:rank=1:for=soon@t=1s"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("faults 'pause:rank=1:for=soon@t=1s': ")
                .hasMessageContaining("soon");
    }

    @Test
    void shouldRefuseACutInAWorldOfOne() {
        assertThatThrownBy(() -> SimWorld.of(1).faults("cut:rank=0@t=1s"))
                .hasMessage("faults 'cut:rank=0@t=1s': needs two ranks, and there is one");
    }

    @Test
    void shouldNeverCutADrawnRankOffFromItself() {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(draw("cut:rank=any(3):to=1:for=1s@t=1s", 3, seed))
                    .noneMatch(fault -> fault.startsWith("cut:rank=1:to=1"));
        }
    }

    @Test
    void shouldKeepThePartOfACallThatIsDrawn() {
        assertThat(draw("kill:rank=1@op=send#random(1)/exit", 2, 1)).containsExactly("kill:rank=1@op=send#1/exit");
    }

    @Test
    void shouldDrawAMomentFromNothing() {
        assertThat(draw("kill:rank=1@t=random(0s)", 2, 1)).containsExactly("kill:rank=1@t=1ns");
    }

    @Test
    void shouldRefuseToDrawMoreRanksThanThereAre() {
        assertThatThrownBy(() -> SimWorld.of(2).faults("kill:rank=0@t=1s;kill:rank=any(2)@t=1s"))
                .hasMessageContaining("asks for 2 ranks, but only 1 of 2");
    }
}
