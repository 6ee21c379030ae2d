package org.ulfmj.launch.end;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.protocol.ProcessId;

class ExitPolicyTest {
    /**
     * Shows the exit codes of jobs: of one that survives failures, and of one that does not. The second column has one
     * word per process: its code, then {@code i} if it called Init, {@code f} if it returned from Finalize, {@code h}
     * if the survivors held it for failed, {@code k} if it ended after the launcher told it to, {@code l} if it left
     * after a signal, {@code o} if it is no member: replaced, or never admitted.
     */
    @ParameterizedTest(name = "{0}: {1} -> {2}, {3}")
    @CsvSource({
        "all well, '0if 0if 0if', 0, 0",
        "recovered from a kill, '0if 137ih 0if', 0, 137",
        "recovered from the death of rank 0, '137ih 0if 0if', 0, 137",
        "a survivor fails after Finalize, '0if 137ih 4if', 4, 137",
        "killed after Finalize, '0if 137if', 137, 137",
        "lowest slot counts, '0if 5if 4if', 5, 5",
        "one that was fenced is held for failed, '118ih 0if', 0, 118",
        "one that was fenced for nothing, '118i 0if', 118, 118",
        "one left after a signal, '0if 75ilh 0if', 0, 75",
        "all left after a signal, '75il 75il', 75, 75",
        "one left behind a script that the signal ended, '0if 143ilh 0if', 0, 75",
        "all left behind such scripts, '143il 143il', 75, 75",
        "all killed, '137i 137i', 137, 137",
        "one left without Finalize, '0i 0if', 0, 0",
        "nobody called Finalize, '0i 0i', 1, 0",
        "nobody called Init, '0 0', 0, 0",
        "nobody called Init and some failed, '0 3 5', 3, 3",
        "told to end, '143k 3 143k', 3, 3",
        "replaced and well, '0if 137io 0if', 0, 0",
        "replaced and failed, '0if 137io 5if', 5, 5",
        "replaced and failed and held for failed, '0if 137io 5ih', 0, 5",
        "a newcomer that never came in, '0if 137ih 9io', 0, 137",
        "replaced and nobody called Finalize, '0i 137io 0i', 1, 0",
        "started again without Init, '0 3o 0', 0, 0",
        "held for failed by nobody counts only with Init, '137h 0', 137, 137"
    })
    void shouldJudgeAJobThatEndedByItself(String name, String processes, int survives, int dies) {
        assertThat(ExitPolicy.exitCode(outcomes(processes), true, null)).isEqualTo(survives);
        assertThat(ExitPolicy.exitCode(outcomes(processes), false, null)).isEqualTo(dies);
    }

    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource({
        "first failure, '143k 3 143k', 3",
        "ended with 0 before MPI.Init, '143ik 0', 1",
        "ended with 7 before MPI.Init, '143ik 7', 7",
        "left with 0 without Finalize, '0i 143ik', 1"
    })
    void shouldNeverCallAFailureASuccess(String name, String processes, int expected) {
        EndReason reason = EndReason.failure("");
        assertThat(ExitPolicy.exitCode(outcomes(processes), true, reason)).isEqualTo(expected);
        assertThat(ExitPolicy.exitCode(outcomes(processes), false, reason)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource({
        "ABORT, 3, 3",
        "ABORT, 0, 1",
        "ABORT, 256, 1",
        "ABORT, -1, 255",
        "TIMEOUT, 0, 124",
        "SIGNAL, 2, 130",
        "SIGNAL, 15, 143",
        "SIGNAL, 13, 141",
        "LAUNCHER, 127, 127",
        "LAUNCHER, 126, 126",
        "MINORITY, 119, 119"
    })
    void shouldEndWithWhatWasAskedForWhenTheJobWasEnded(EndReason.Kind kind, int code, int expected) {
        assertThat(ExitPolicy.exitCode(outcomes("0if 143ik"), true, new EndReason(kind, code, "")))
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource({
        "all left, '75ilk 75ilk', 75",
        "one ended well, '0ifk 75ilk', 75",
        "one had died before, '75ilk 137ih', 75",
        "one left before by a signal of its own, '75ilk 75il', 75",
        "a newcomer that never came in, '75ilk 143iko', 75",
        "one without a handler, '75ilk 143ik', 143",
        "one behind a script that the signal ended, '75ilk 143ilk', 75",
        "one that was killed as it was about to end, '75ilk 137ilk', 143",
        "one that ended by itself with this code, '75ik 75ik', 143",
        "none left, '0ifk 0ifk', 143"
    })
    void shouldSayThatAJobWasPreemptedIfAllHandledIt(String name, String processes, int expected) {
        assertThat(ExitPolicy.exitCode(outcomes(processes), true, EndReason.signalled("TERM")))
                .isEqualTo(expected);
        assertThat(ExitPolicy.exitCode(outcomes(processes), true, EndReason.signalled("INT")))
                .isEqualTo(130);
    }

    @Test
    void shouldSayCodesInWords() {
        assertThat(ExitText.of(137)).isEqualTo("was killed by signal 9 (KILL)");
        assertThat(ExitText.of(3)).isEqualTo("exited with code 3");
        assertThat(ExitText.of(118)).isEqualTo("exited with code 118 (fenced: the others hold it for failed)");
        assertThat(ExitText.of(200)).isEqualTo("exited with code 200");
    }

    private static List<ProcessOutcome> outcomes(String processes) {
        List<ProcessOutcome> outcomes = new ArrayList<>();
        for (String process : processes.split(" ")) {
            outcomes.add(new ProcessOutcome(
                    ProcessId.of(outcomes.size()),
                    Integer.parseInt(process.replaceAll("[a-z]", "")),
                    !process.contains("o"),
                    process.contains("i"),
                    process.contains("f"),
                    process.contains("l"),
                    process.contains("h"),
                    process.contains("k")));
        }
        return outcomes;
    }

    @Test
    void shouldKnowWhichEndsTheEndOfTheJobExplains() {
        EndReason abort = new EndReason(EndReason.Kind.ABORT, 259, "");
        assertThat(abort.explains(3, false)).isTrue();
        assertThat(abort.explains(143, false)).isTrue();
        assertThat(abort.explains(137, false)).isTrue();
        assertThat(abort.explains(1, false)).isFalse();
        assertThat(EndReason.timeout().explains(143, false)).isTrue();
        assertThat(EndReason.timeout().explains(0, false)).isFalse();
        assertThat(EndReason.signalled("TERM").explains(143, false)).isFalse();
        assertThat(EndReason.timeout().explains(134, false)).isFalse();
        assertThat(new EndReason(EndReason.Kind.ABORT, 0, "").explains(1, false))
                .isTrue();
        assertThat(abort.explains(3, true)).isTrue();
        assertThat(abort.explains(137, true)).isFalse();
        assertThat(EndReason.timeout().explains(143, true)).isFalse();
    }
}
