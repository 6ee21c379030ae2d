package org.ulfmj.rendezvous.silence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class SilenceJudgeTest {
    private static final long MS = 1_000_000;
    private static final long TIMEOUT_NS = 1_000 * MS;

    private final List<String> told = new ArrayList<>();
    private final List<ProcessId> mute = new ArrayList<>();
    private long waitedForCoreNs;
    /** The part of the passing time in which a thread of each process waits for a core, from 0 to 1. */
    private double waitingShare;

    private long countedNs;
    private final SilenceJudge judge = new SilenceJudge(TIMEOUT_NS, new SilenceEffects() {
        @Override
        public void ask(ProcessId member, long question, List<ProcessId> complainers) {
            if (!complainers.isEmpty()) {
                told.add("ask " + member + " for " + complainers);
            }
            if (!mute.contains(member)) {
                answers.add(() -> judge().answers(member, question, nowNs));
            }
        }

        @Override
        public long waitedForCoreNs(ProcessId process) {
            long waited = waitedForCoreNs + (long) (waitingShare * (nowNs - countedNs));
            waitedForCoreNs = 0;
            countedNs = nowNs;
            return waited;
        }

        @Override
        public void askComplainer(ProcessId complainer, long question, ProcessId about) {
            told.add("ask " + complainer + " about " + about);
            questions.put(about, question);
        }

        @Override
        public void kill(ProcessId process, String reason) {
            told.add("kill " + process + ": " + reason);
        }

        @Override
        public void lose(int host, List<ProcessId> processes, String reason) {
            told.add("lose " + processes + ": " + reason);
        }

        @Override
        public void giveUp(ProcessId process, String reason) {
            told.add("give up " + process + ": " + reason);
        }
    });

    private final List<Runnable> answers = new ArrayList<>();
    private long nowNs;
    private final SortedMap<ProcessId, Long> questions = new TreeMap<>();

    private SilenceJudge judge() {
        return judge;
    }

    private static ProcessId rank(int slot) {
        return ProcessId.of(slot);
    }

    @BeforeEach
    void begin() {
        for (int slot = 0; slot < 3; slot++) {
            judge.runs(rank(slot), nowNs);
        }
    }

    /** Rank 0 confirms that it still hears nothing of another rank. */
    private void confirm(int slot) {
        judge.confirms(rank(0), questions.get(rank(slot)), rank(slot), nowNs);
    }

    private void answer() {
        List<Runnable> come = new ArrayList<>(answers);
        answers.clear();
        come.forEach(Runnable::run);
    }

    /**
     * Lets time pass in steps of 10 ms. In each step the state of rank 2 is looked up and is the given one; ranks that
     * are not mute answer in the next step.
     */
    private List<String> pass(long ms, char stateOfTwo) {
        return pass(ms, () -> judge.looked(rank(2), stateOfTwo, false, nowNs));
    }

    private List<String> pass(long ms, Runnable look) {
        for (long left = ms; left > 0; left -= 10) {
            nowNs += 10 * MS;
            answer();
            look.run();
            judge.onTick(nowNs);
        }
        List<String> taken = new ArrayList<>(told);
        told.clear();
        return taken;
    }

    @Test
    void shouldEndWhatIsStoppedAtEachLookForTheTimeout() {
        mute.add(rank(2));
        assertThat(pass(990, 'T')).isEmpty();
        assertThat(pass(10, 'S')).isEmpty();
        assertThat(pass(990, 'T')).as("it ran for a moment").isEmpty();
        assertThat(pass(100, 't')).containsExactly("kill 2: was silent for 1000 ms (state t)");
        assertThat(judge.reasonOf(rank(2))).isEqualTo("was silent for 1000 ms (state t)");
        judge.leaves(rank(2), nowNs);
        assertThat(judge.isIdle()).isTrue();
        assertThat(pass(10_000, 'S')).as("the others answer").isEmpty();
    }

    /**
     * Rank 2 has 3 s to find the new coordinator, counted anew when that coordinator can be found again; then it has
     * half a timeout for its last question.
     */
    @Test
    void shouldGiveAProcessTimeToFindANewCoordinatorAsLongAsItCan() {
        mute.add(rank(2));
        judge.returns(rank(2), 3_000 * MS);
        judge.hides();
        assertThat(pass(20_000, 'S')).as("it cannot be found").isEmpty();
        judge.shows(nowNs);
        assertThat(pass(3_400, 'S')).isEmpty();
        judge.hides();
        assertThat(pass(20_000, 'S')).as("etcd is away").isEmpty();
        judge.shows(nowNs);
        assertThat(pass(3_400, 'S')).isEmpty();
        assertThat(pass(200, 'S')).containsExactly("kill 2: was silent for 3500 ms (no answer to mpiexec)");
    }

    @Test
    void shouldJudgeAProcessThatHasFoundANewCoordinatorAsAnyOther() {
        judge.returns(rank(2), 30_000 * MS);
        judge.heardFrom(rank(2), nowNs);
        judge.hides();
        mute.add(rank(2));
        assertThat(pass(2_900, 'S')).hasSize(1).allMatch(line -> line.startsWith("kill 2: was silent for "));
    }

    /**
     * Shows that time spent waiting for a core is given back. Rank 2 is asked after 1,000 ms, and a last time after
     * 2,000 ms; it has 500 ms to answer, and is given 450 ms more in which it waited for a core.
     */
    @Test
    void shouldGiveBackTheTimeInWhichAProcessWaitedForACore() {
        mute.add(rank(2));
        assertThat(pass(2_400, 'R')).isEmpty();
        waitedForCoreNs = 450 * MS;
        assertThat(pass(500, 'R')).isEmpty();
        waitedForCoreNs = 20 * MS;
        assertThat(pass(200, 'R')).hasSize(1).allMatch(line -> line.startsWith("kill 2: was silent for 19"));
    }

    /**
     * Shows that a process gets 500 ms of running time to answer its last question: it runs a quarter of the time, so
     * that is over after 2,000 ms. The judge is called late for each step.
     */
    @Test
    void shouldEndWhatIsSilentThoughAThreadOfItWaitsForACoreMostOfTheTime() {
        mute.add(rank(2));
        waitingShare = 0.75;
        for (nowNs = 0; nowNs < 4_300 * MS; nowNs += 51 * MS) {
            answer();
            judge.onTick(nowNs);
        }
        assertThat(told).hasSize(1).allMatch(line -> line.startsWith("kill 2: was silent for "));
    }

    @Test
    void shouldCountNoStandstillBetweenLooksThatLieFarApart() {
        mute.add(rank(2));
        for (int look = 0; look < 4; look++) {
            assertThat(pass(10, 'T')).isEmpty();
            // The thread that looks at processes gets no core, and rank 2 may have run meanwhile; the launcher's other
            // threads go on.
            assertThat(pass(300, () -> {})).isEmpty();
        }
        assertThat(pass(900, 'T')).isEmpty();
        assertThat(pass(200, 'T')).containsExactly("kill 2: was silent for 1000 ms (state T)");
    }

    @Test
    void shouldCountAStandstillAnewWhenTheProcessHasSaidSomething() {
        mute.add(rank(2));
        assertThat(pass(900, 'T')).isEmpty();
        judge.heardFrom(rank(2), nowNs);
        assertThat(pass(900, 'T')).isEmpty();
        assertThat(pass(200, 'T')).containsExactly("kill 2: was silent for 1000 ms (state T)");
    }

    @Test
    void shouldKillAgainWhatLivesAndGiveUpWhatSigkillDoesNotEnd() {
        mute.add(rank(2));
        assertThat(pass(1_060, 'D')).containsExactly("kill 2: was silent for 1000 ms (state D)");
        assertThat(pass(600, 'D')).as("the signal was not seen").hasSize(1);
        assertThat(pass(600, () -> judge.looked(rank(2), 'D', true, nowNs)))
                .containsExactly("give up 2: was silent for 1000 ms (state D)");
        assertThat(pass(10_000, 'D')).as("nothing more can be done").isEmpty();
        judge.suspects(rank(0), rank(2), nowNs);
        judge.suspects(rank(2), rank(1), nowNs);
        assertThat(judge.isIdle())
                .as("complaints that were on their way are void")
                .isTrue();
        judge.leaves(rank(2), nowNs);
    }

    @Test
    void shouldAskOncePerTimeoutAndEndWhoLeavesTheLastQuestionWithoutAnswer() {
        mute.add(rank(1));
        assertThat(pass(2_400, 'S')).isEmpty();
        List<String> end = pass(200, 'S');
        assertThat(end)
                .singleElement()
                .asString()
                .matches("kill 1: was silent for 1[56]\\d\\d ms \\(no answer to mpiexec\\)");
    }

    @Test
    void shouldEndSoonerWhoIsMissedByOthersToo() {
        pass(100, 'S');
        mute.add(rank(1));
        assertThat(pass(1_000, 'S')).isEmpty();
        judge.suspects(rank(0), rank(1), nowNs);
        assertThat(pass(500, 'S')).contains("ask 1 for [0]");
        assertThat(pass(150, 'S')).singleElement().asString().startsWith("kill 1: was silent for 1");
    }

    @Test
    void shouldEndTheHigherOfTwoThatAnswerAndDoNotHearEachOther() {
        judge.suspects(rank(0), rank(1), nowNs);
        assertThat(pass(100, 'S')).containsExactly("ask 1 for [0]");
        assertThat(pass(600, 'S')).containsExactly("ask 0 about 1");
        confirm(1);
        assertThat(pass(400, 'S').toString()).doesNotContain("kill");
        assertThat(pass(200, 'S')).contains("kill 1: has no path to rank 0 (both answer mpiexec)");
    }

    @Test
    void shouldEndTheOneThatMostDoNotHear() {
        for (int other = 1; other < 3; other++) {
            judge.suspects(rank(0), rank(other), nowNs);
        }
        pass(100, 'S');
        pass(600, 'S');
        confirm(1);
        confirm(2);
        assertThat(pass(700, 'S')).contains("kill 0: has no path to ranks 1, 2 (all answer mpiexec)");
    }

    @Test
    void shouldDoNothingOnceTheComplaintIsWithdrawn() {
        judge.suspects(rank(0), rank(1), nowNs);
        assertThat(pass(700, 'S')).containsExactly("ask 1 for [0]", "ask 0 about 1");
        judge.hears(rank(0), rank(1), nowNs);
        confirm(1);
        assertThat(pass(5_000, 'S')).isEmpty();
        assertThat(judge.isIdle()).isTrue();
    }

    @Test
    void shouldNotCountWhatAComplainerSaidThatFellSilentItself() {
        judge.suspects(rank(0), rank(1), nowNs);
        mute.add(rank(0));
        assertThat(pass(700, 'S')).containsExactly("ask 1 for [0]", "ask 0 about 1");
        assertThat(pass(1_500, 'S').toString()).contains("kill 0: was silent").doesNotContain("kill 1");
    }

    @Test
    void shouldAddItsOwnStall() {
        mute.add(rank(2));
        pass(900, 'T');
        nowNs += 60_000 * MS;
        assertThat(pass(50, 'T')).isEmpty();
        assertThat(pass(200, 'T')).containsExactly("kill 2: was silent for 1000 ms (state T)");
    }

    @Test
    void shouldBeginAnewAfterAStopThatWasForwarded() {
        mute.add(rank(2));
        pass(900, 'T');
        judge.suspend();
        assertThat(pass(60_000, 'T')).isEmpty();
        judge.restart(nowNs);
        assertThat(pass(990, 'T')).isEmpty();
        assertThat(pass(100, 'T')).containsExactly("kill 2: was silent for 1000 ms (state T)");
    }

    @Test
    void shouldJudgeWhatWaitsByItsStateAloneAndNoProcessAfterItsGoodbye() {
        ProcessId newcomer = new ProcessId(2, 1);
        judge.leaves(rank(2), nowNs);
        judge.waits(newcomer, nowNs);
        mute.add(newcomer);
        assertThat(pass(10_000, 'T')).as("it said goodbye").isEmpty();
        assertThat(pass(1_200, () -> judge.looked(newcomer, 'T', false, nowNs)))
                .containsExactly("kill 2'1: was silent for 1000 ms (state T)");
    }

    @Test
    void shouldAskAgainOnAnotherConnection() {
        mute.add(rank(1));
        judge.suspects(rank(0), rank(1), nowNs);
        assertThat(pass(100, 'S')).containsExactly("ask 1 for [0]");
        mute.clear();
        judge.connects(rank(1), nowNs);
        assertThat(pass(10, 'S')).containsExactly("ask 1 for [0]");
        judge.connects(rank(0), nowNs);
        assertThat(judge.isIdle()).as("it may say it again").isFalse();
        pass(10, 'S');
        assertThat(judge.isIdle()).as("it has not said it again").isTrue();
    }

    /** A newcomer that the members have let in may never be told so, and then it sends nothing to them. */
    @Test
    void shouldEndANewcomerThatMembersHearNothingOfAndThatDoesNotAnswer() {
        mute.add(rank(3));
        judge.waits(rank(3), nowNs);
        assertThat(pass(10_000, 'S')).as("no member waits for it").isEmpty();
        judge.suspects(rank(0), rank(3), nowNs);
        assertThat(pass(1_600, 'S'))
                .startsWith("ask 3 for [0]")
                .endsWith("kill 3: was silent for 1500 ms (no answer to mpiexec)");
        judge.leaves(rank(3), nowNs);
        assertThat(judge.isIdle()).isTrue();
    }

    @Test
    void shouldEndANewcomerAndNotTheMemberThatHasNoPathToIt() {
        ProcessId newcomer = new ProcessId(0, 1);
        judge.leaves(rank(0), nowNs);
        judge.waits(newcomer, nowNs);
        judge.suspects(rank(2), newcomer, nowNs);
        pass(700, 'S');
        judge.confirms(rank(2), questions.get(newcomer), newcomer, nowNs);
        assertThat(pass(600, 'S'))
                .as("of two members the one with the higher slot would end")
                .endsWith("kill 0'1: has no path to rank 2 (both answer mpiexec)");
    }

    @Test
    void shouldJudgeANewcomerAsAMemberOnceItRuns() {
        judge.waits(rank(3), nowNs);
        judge.suspects(rank(0), rank(3), nowNs);
        assertThat(pass(100, 'S')).containsExactly("ask 3 for [0]");
        judge.runs(rank(3), nowNs);
        judge.hears(rank(0), rank(3), nowNs);
        assertThat(pass(10_000, 'S')).isEmpty();
        assertThat(judge.isIdle()).isTrue();
    }
}
