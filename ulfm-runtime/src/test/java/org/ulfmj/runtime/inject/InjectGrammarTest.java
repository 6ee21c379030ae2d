package org.ulfmj.runtime.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the forms that a rule of a fault plan may have, and the error texts for some that are not allowed. */
class InjectGrammarTest {
    private static final int SIZE = 8;

    /** Rules as they stand in a plan file: reading a rule and printing it gives the same text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill:rank=2,inc=*@op=allreduce#100/mid",
                "exit:rank=2,code=3@op=*#7/exit",
                "exit:rank=2@t=2s",
                "abort:rank=0,inc=1,code=9@iter=4",
                "term:rank=1@ev=dead(0)+5ms",
                "stop:rank=1@t=2s..5s",
                "stop:rank=1@op=send#3..500ms",
                "pause:rank=1@ev=revoked..2s",
                "pause:rank=3@point=rabit.load#1",
                "hang:rank=1@op=agree#2",
                "slow:rank=1,ms=50±20@t=0s..10s",
                "oom:rank=7@ev=agreed+1s",
                "kill:rank=6@ev=joined(5)",
                "reset:link=0-1@t=1s",
                "reset:link=*,ms=100,n=5@t=1s..20s",
                "blackhole:link=2>3@t=2s..4s",
                "blackhole:link=*>3@t=2s",
                "drop:link=*,p=0.001@t=0s",
                "dup:link=0-1,n=4@t=0s",
                "reorder:link=0>1,p=0.5,n=2@t=0s..9s",
                "corrupt:link=1>0,n=1@t=300ms",
                "delay:link=*,ms=20±10,p=0.1@t=0s",
                "throttle:link=0>1,rate=1000000B/s@t=0s..3s",
                "refuse:link=0-1@t=1s..2s",
                "store-pause:*@t=1s..11s",
                "launcher-kill:*@t=3s",
                "launcher-kill:*@ev=dead(1)+10ms"
            })
    void shouldReadWhatItWrites(String text) {
        assertThat(InjectPlan.read(4, text, SIZE)).hasToString(text);
        assertThat(drawn(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill:rank=3@2s|kill:rank=3@t=2s",
                "stop:rank=1@2s..5s|stop:rank=1@t=2s..5s",
                "kill:rank=1@now|kill:rank=1@t=0s",
                "kill:rank=root@phase=agree#2|kill:rank=0@op=agree#2/mid",
                "kill:rank=succ(last)@ckpt=2|kill:rank=0@point=rabit.after-commit#2",
                "kill:rank=succ(3)@phase=ckpt|kill:rank=4@point=rabit.before-commit#1",
                "kill:rank=1@phase=loadckpt#3|kill:rank=1@point=rabit.load#3",
                "kill:rank=1@phase=rdzv(join)|kill:rank=1@point=join.pending#1",
                "kill:rank=1@op=ckpt#2/enter|kill:rank=1@op=checkpoint#2",
                "delay:*,ms=20+-10@now|delay:link=*,ms=20±10@t=0s",
                "throttle:link=last-root,rate=2kB/s@1s|throttle:link=7-0,rate=2000B/s@t=1s",
                " reset : link = 0-1 @ t = 1s|reset:link=0-1@t=1s",
                "mock=1,3,0,2|kill:rank=1,inc=2@v=3,seq=0"
            })
    void shouldUnderstandOtherSpellings(String text, String meant) {
        assertThat(drawn(text.replace("link = ", "link=").replace("t = ", "t=")))
                .isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "partition:node=0/1@t=3s|16|node= names hosts, and this job has one host; write blackhole:link=A-B"
                        + " between ranks",
                "partition:groups=0-3/4-7@t=3s|11|groups= is written with hosts here: partition:node=0+1/2@t=2s..6s",
                "partition:link=0-1@t=3s|11|after partition: comes node=, as in partition:node=0/1@t=2s..6s, not"
                        + " 'link=0-1'",
                "agent-kill:node=1@t=3s|17|node= names hosts, and this job has one host; write launcher-kill, which ends"
                        + " mpiexec",
                "agent-kill:*@t=3s|12|after agent-kill: comes node=, as in agent-kill:node=1@t=2s, not '*'",
                "store-kill:*@t=3s|1|the store is a thread of mpiexec; write store-pause, or launcher-kill",
                "stopp:rank=1@t=3s|1|unknown action 'stopp'; the nearest known one is stop; known: kill exit abort term"
                        + " stop pause hang slow oom reset blackhole drop delay dup reorder throttle corrupt refuse"
                        + " store-pause partition agent-kill launcher-kill random",
                "kill:node=1@t=3s|11|node= names hosts, and this job has one host; write kill:rank=R",
                "blackhole:link=0-1@t=2s..heal|26|there is no rule that heals; write a time, as in @t=2s..4s, or none for"
                        + " as long as the job lasts",
                "kill:rank=1@t=2s..4s|19|kill has no end; leave out ..4s",
                "stop:rank=1@t=5s..5s|19|the end must be behind the beginning",
                "kill:rank=1,ms=5@t=2s|13|'ms=' is no argument of kill; allowed: inc=",
                "blackhole:link=0-1,p=0.5@t=2s|20|'p=' is no argument of blackhole; it has none",
                "exit:rank=1,code=256@t=2s|18|code: 256 is too large, the most is 255",
                "drop:link=0-1,p=2@t=2s|17|p: 2 must be above 0, at most 1",
                "drop:link=0-1,p=x@t=2s|17|p: 'x' is no number; write p=0.01",
                "slow:rank=1@t=2s|6|slow lacks how much: write ms=50 behind its target",
                "throttle:*@t=2s|10|throttle lacks how much: write rate=1MB/s behind its target",
                "throttle:*,rate=5@t=2s|17|rate: '5' is no rate; write a number and one of B/s, kB/s, MB/s",
                "reset:link=0>1@t=2s|12|a reset ends both directions of a connection; write link=A-B",
                "reset:link=1-1@t=2s|12|rank 1 has no link to itself",
                "reset:link=1@t=2s|12|'1' is no link; write 0-1, 0>1, 0>* or *",
                "reset:rank=1@t=2s|7|after reset: comes link=A-B, link=A>B or *, not 'rank=1'",
                "reset:link=0-1@op=send#1|16|faults of links and hosts begin at a time: write t=2s or now",
                "hang:rank=1@op=send#1/mid|13|hang holds a thread where its call begins; leave out /mid and /exit",
                "kill:rank=1@op=send#1/end|23|'end' is no part of a call; allowed: enter mid exit",
                "exit:rank=1@byte=5|13|byte= is for kill alone",
                "kill:rank=1@ev=born(2)|16|unknown event 'born(2)'; known: dead(R) joined(R) revoked agreed, with +5ms for"
                        + " later",
                "kill:rank=1@ev=dead(9)|21|there is no rank 9 among 8 (0 to 7)",
                "kill:rank=1@phase=send#1|19|unknown phase 'send'; known: agree shrink replace finalize ckpt loadckpt"
                        + " rdzv(join) rdzv(confirm); for others write op=NAME#K/mid",
                "kill:rank=1@phase=rdzv(frozen)|19|no rank passes it: the rendezvous freezes inside of mpiexec; write"
                        + " point=join.pending",
                "store-pause:*@t=1s|15|store-pause lacks its end; write @t=1s..3s",
                "store-pause:*@ev=revoked..3s|15|store-pause begins at what mpiexec sees: t=2s, now, ev=dead(R),"
                        + " ev=joined(R)",
                "launcher-kill:rank=1@t=1s|15|after launcher-kill: comes *, not 'rank=1'",
                "random:*,rate=3s@t=1s..2s|15|rate: '3s' is no mean time between faults; write rate=1/3s",
                "random:*@t=1s|10|random lacks its end; write @t=1s..3s",
                "random:*@iter=3|10|random is drawn from a time or from calls: write t=1s..60s or op=*#random(100)"
            })
    void shouldSayWhereAndWhyARuleIsRefused(String text, int at, String why) {
        assertThatThrownBy(() -> InjectPlan.parse(List.of(text), SIZE))
                .hasMessage("--inject '" + text + "', character " + at + ": " + why);
    }

    @Test
    void shouldSayWhatCanBeDrawn() {
        assertThatThrownBy(() -> InjectPlan.parse(List.of("random:*,of=kill|abort@t=1s..2s"), SIZE))
                .hasMessage("--inject 'random:*,of=kill|abort@t=1s..2s', character 18: of: 'abort' cannot be drawn;"
                        + " allowed: kill|exit|term|oom|stop|pause|hang|slow|reset|blackhole|delay");
    }

    @Test
    void shouldReadTheLinesOfAFile() {
        InjectPlan plan = InjectPlan.parse(List.of("kill:rank=0@t=1s"), SIZE)
                .with(
                        "f",
                        List.of(
                                "# a comment",
                                "",
                                "kill:rank=1@op=send#3 # another",
                                "stop:rank=2@t=1s..2s; kill:rank=3@2s"));
        assertThat(plan.draw(1))
                .extracting(PlannedFault::toString)
                .containsExactly(
                        "kill:rank=0@t=1s", "kill:rank=1@op=send#3", "stop:rank=2@t=1s..2s", "kill:rank=3@t=2s");
        assertThatThrownBy(() -> plan.with("f", List.of("", "kill:rank=x@now")))
                .hasMessage(
                        "--inject-file f, line 2: 'kill:rank=x@now', character 11: 'x' is no rank; write a number, a"
                                + " range 1-4, any(k), root, last or succ(r)");
    }

    private static String drawn(String text) {
        List<PlannedFault> faults = InjectPlan.parse(List.of(text), SIZE).draw(1);
        assertThat(faults).hasSize(1);
        return faults.get(0).toString();
    }
}
