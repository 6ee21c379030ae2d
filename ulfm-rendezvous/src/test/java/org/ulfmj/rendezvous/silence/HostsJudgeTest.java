package org.ulfmj.rendezvous.silence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/** Tests J3 and J4 for hosts: rank 0 is on the launcher's host, ranks 1 and 2 on host 1, ranks 3 and 4 on host 2. */
class HostsJudgeTest {
    private static final long MS = 1_000_000;
    private static final long TIMEOUT_NS = 1_000 * MS;

    private final List<String> told = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final SortedSet<Integer> cutHosts = new TreeSet<>();
    private final SortedSet<Integer> hostsWithoutAgent = new TreeSet<>();
    private final List<Integer> endedHosts = new ArrayList<>();
    private final SortedSet<Integer> mute = new TreeSet<>();
    private final Map<ProcessId, Long> waitedNs = new TreeMap<>();
    private boolean areCoreWaitsKnown = true;
    /** Whether the launcher has to reach more than half of the five ranks to go on. */
    private boolean needsMajority;

    private long nowNs;

    private final SilenceEffects effects = new SilenceEffects() {
        @Override
        public void ask(ProcessId member, long question, List<ProcessId> complainers) {
            if (isReached(member)) {
                answers.add(() -> judge().answers(member, question, nowNs));
            }
        }

        @Override
        public void askComplainer(ProcessId complainer, long question, ProcessId about) {
            if (isReached(complainer)) {
                answers.add(() -> judge().confirms(complainer, question, about, nowNs));
            }
        }

        @Override
        public long waitedForCoreNs(ProcessId process) {
            return waitedNs.getOrDefault(process, 0L);
        }

        @Override
        public boolean isCoreWaitKnown(ProcessId process) {
            return areCoreWaitsKnown;
        }

        @Override
        public void kill(ProcessId process, String reason) {
            told.add("kill " + process + ": " + reason);
        }

        @Override
        public boolean isMinorityWithout(List<ProcessId> unheard) {
            return needsMajority && 2 * (5 - unheard.size()) <= 5;
        }

        @Override
        public void endInMinority(List<ProcessId> unheard) {
            told.add("minority without " + unheard);
        }

        @Override
        public void endHost(int host) {
            endedHosts.add(host);
        }

        @Override
        public void lose(int host, List<ProcessId> processes, String reason) {
            told.add("lose " + processes + " of host " + host + ": " + reason);
        }

        @Override
        public void giveUp(ProcessId process, String reason) {
            told.add("give up " + process);
        }
    };

    private SilenceJudge judge = new SilenceJudge(TIMEOUT_NS, effects);

    private SilenceJudge judge() {
        return judge;
    }

    private static int hostOf(ProcessId process) {
        return (process.slot() + 1) / 2;
    }

    private boolean isReached(ProcessId process) {
        return !mute.contains(process.slot()) && !cutHosts.contains(hostOf(process));
    }

    private static ProcessId rank(int slot) {
        return ProcessId.of(slot);
    }

    @BeforeEach
    void begin() {
        for (int slot = 0; slot < 5; slot++) {
            judge.placed(rank(slot), hostOf(rank(slot)), nowNs);
            judge.runs(rank(slot), nowNs);
        }
    }

    /**
     * Lets time pass in steps of 10 ms. On hosts that are not cut off, processes that are not mute answer in the next
     * step, and the agent is heard in each step if the host has one.
     */
    private List<String> pass(long ms) {
        for (long left = ms; left > 0; left -= 10) {
            nowNs += 10 * MS;
            List<Runnable> come = new ArrayList<>(answers);
            answers.clear();
            come.forEach(Runnable::run);
            for (int host = 1; host < 3; host++) {
                if (!cutHosts.contains(host) && !hostsWithoutAgent.contains(host)) {
                    judge.agentHeard(host, nowNs);
                }
            }
            judge.onTick(nowNs);
        }
        List<String> taken = new ArrayList<>(told);
        told.clear();
        return taken;
    }

    @Test
    void shouldEndAllProcessesOfOneHostForALostPathBetweenHosts() {
        judge.suspects(rank(1), rank(3), nowNs);
        judge.suspects(rank(4), rank(2), nowNs);
        String reason = "is on host 2, which has no path to host 1 (both answer mpiexec)";
        assertThat(pass(3_000))
                .containsOnly("kill 3: " + reason, "kill 4: " + reason)
                .startsWith("kill 3: " + reason);
        judge.leaves(rank(3), nowNs);
        assertThat(judge.isIdle()).as("rank 4 has not ended").isFalse();
        judge.leaves(rank(4), nowNs);
        assertThat(judge.isIdle()).isTrue();
        assertThat(pass(3_000)).isEmpty();
    }

    @Test
    void shouldCountOnlyRanksThatRunAsTheCostOfAHost() {
        judge.leaves(rank(1), nowNs);
        for (int waiting = 5; waiting < 8; waiting++) {
            judge.placed(rank(waiting), 1, nowNs);
            judge.waits(rank(waiting), nowNs);
        }
        judge.suspects(rank(2), rank(4), nowNs);
        assertThat(pass(2_400)).isNotEmpty().allMatch(line -> line.contains("is on host 1, which"));
    }

    @Test
    void shouldNotEndAHostBeforeAnAgentThereCan() {
        judge.suspects(rank(1), rank(3), nowNs);
        hostsWithoutAgent.add(2);
        judge.agentLost(2, nowNs);
        assertThat(pass(3_000)).isEmpty();
        hostsWithoutAgent.clear();
        assertThat(pass(100)).isNotEmpty().allMatch(line -> line.contains("is on host 2, which"));
        assertThat(endedHosts).containsExactly(2);
    }

    @Test
    void shouldEndTheHostWhoseEndCostsFewestRanks() {
        judge.leaves(rank(1), nowNs);
        judge.suspects(rank(2), rank(4), nowNs);
        assertThat(pass(2_400)).hasSize(1).allMatch(line -> line.startsWith("kill 2: is on host 1, which"));
    }

    @Test
    void shouldEndOneProcessForALostPathWithinAHost() {
        judge.suspects(rank(1), rank(2), nowNs);
        assertThat(pass(1_300)).containsExactly("kill 2: has no path to rank 1 (both answer mpiexec)");
    }

    @Test
    void shouldAskBeforeAHostWithoutAgentCountsAsSilent() {
        hostsWithoutAgent.add(1);
        judge.agentLost(1, nowNs);
        assertThat(pass(10_000)).as("its ranks answer").isEmpty();
    }

    @Test
    void shouldLoseAHostThatIsSilentAndKillWhatWasLostWhenItsAgentIsHeardAgain() {
        cutHosts.add(1);
        judge.suspects(rank(0), rank(1), nowNs);
        assertThat(pass(1_450)).isEmpty();
        List<String> lost = pass(200);
        assertThat(lost).hasSize(1);
        assertThat(lost.get(0)).startsWith("lose [1, 2] of host 1: is on host 1, which was silent for 15");
        assertThat(judge.isIdle()).as("complaints about what is lost are void").isTrue();
        judge.suspects(rank(0), rank(2), nowNs);
        assertThat(pass(5_000)).as("nothing more is to be decided").isEmpty();
        cutHosts.clear();
        assertThat(pass(400)).hasSize(2).allMatch(line -> line.startsWith("kill "));
        judge.leaves(rank(1), nowNs);
        assertThat(pass(600)).hasSize(1).allMatch(line -> line.startsWith("kill 2: is on host 1, which was silent"));
        judge.leaves(rank(2), nowNs);
        assertThat(pass(3_000)).isEmpty();
    }

    /**
     * Where a cable was out for half a second, the system of the host resolves addresses again only a second after it
     * was pulled: the host is silent for about a second.
     */
    @Test
    void shouldNotLoseAHostWhoseCableWasOutForHalfASecond() {
        pass(1_000);
        cutHosts.add(1);
        assertThat(pass(1_060)).isEmpty();
        cutHosts.clear();
        judge.connects(rank(1), nowNs);
        judge.connects(rank(2), nowNs);
        assertThat(pass(3_000)).isEmpty();
    }

    @Test
    void shouldGoOnWithOtherCasesWhenThoseThatAreToEndAreLost() {
        judge.suspects(rank(1), rank(3), nowNs);
        pass(2_400);
        assertThat(judge.reasonOf(rank(4))).startsWith("is on host 2");
        cutHosts.add(2);
        assertThat(pass(1_700)).anyMatch(line -> line.startsWith("lose [3, 4] of host 2"));
        assertThat(judge.isIdle()).isTrue();
        judge.suspects(rank(0), rank(1), nowNs);
        // Host 0 has the fewest ranks.
        assertThat(pass(2_400))
                .containsExactly("kill 0: is on host 0, which has no path to host 1 (both answer mpiexec)");
    }

    @Test
    void shouldNotEndAMuteProcessWhoseHostHasNoAgentBeforeThereIsOneAgain() {
        hostsWithoutAgent.add(1);
        judge.agentLost(1, nowNs);
        mute.add(1);
        assertThat(pass(5_000)).as("rank 2 answers for its host").isEmpty();
        hostsWithoutAgent.clear();
        assertThat(pass(100)).hasSize(1).allMatch(line -> line.startsWith("kill 1: was silent for"));
    }

    /** While an agent is slow, its reports on its processes are missing, for example that they wait for a core. */
    @Test
    void shouldNotEndAMuteProcessBeforeItsAgentWasHeardAfterTheAnswerWasDue() {
        mute.add(1);
        pass(1_400);
        hostsWithoutAgent.add(1);
        assertThat(pass(3_000)).as("nothing is heard of the agent").isEmpty();
        waitedNs.put(rank(1), 3_200 * MS);
        hostsWithoutAgent.clear();
        assertThat(pass(100)).as("it had no core").isEmpty();
        waitedNs.clear();
        assertThat(pass(400)).singleElement().asString().startsWith("kill 1: was silent for");
    }

    /** An agent that began to look late, or reports late, cannot have told yet whether the process waits for a core. */
    @Test
    void shouldNotEndAMuteProcessBeforeItsAgentHasLookedForHalfATimeout() {
        mute.add(1);
        areCoreWaitsKnown = false;
        assertThat(pass(4_000)).isEmpty();
        areCoreWaitsKnown = true;
        assertThat(pass(430)).isEmpty();
        assertThat(pass(200)).singleElement().asString().startsWith("kill 1: was silent for");
    }

    @Test
    void shouldGiveMembersTheTimeOfAStartUntilTheyHaveAnsweredForTheFirstTime() {
        judge = new SilenceJudge(TIMEOUT_NS, 10 * TIMEOUT_NS, 20 * TIMEOUT_NS, effects);
        begin();
        mute.add(1);
        cutHosts.add(2);
        hostsWithoutAgent.add(2);
        assertThat(pass(9_900)).isEmpty();
        List<String> late = pass(2_500);
        assertThat(late).anyMatch(line -> line.startsWith("kill 1: was silent for 1"));
        assertThat(late).anyMatch(line -> line.startsWith("lose [3, 4] of host 2"));
        judge.leaves(rank(1), nowNs);
        mute.add(2);
        assertThat(pass(3_000)).as("rank 2 has answered before").anyMatch(line -> line.startsWith("kill 2: "));
    }

    @Test
    void shouldGiveNoTimeOfAStartWhereThereIsOneHost() {
        judge = new SilenceJudge(TIMEOUT_NS, 10 * TIMEOUT_NS, 20 * TIMEOUT_NS, effects);
        judge.runs(rank(0), nowNs);
        judge.runs(rank(1), nowNs);
        mute.add(1);
        nowNs += 10 * MS;
        for (int steps = 0; steps < 300; steps++) {
            nowNs += 10 * MS;
            judge.onTick(nowNs);
            List<Runnable> come = new ArrayList<>(answers);
            answers.clear();
            come.forEach(Runnable::run);
        }
        assertThat(told).anyMatch(line -> line.startsWith("kill 1: "));
    }

    /**
     * Members of a host that have begun decide how long the host may be silent, even if a newcomer on it has not begun
     * and has a longer time itself.
     */
    @Test
    void shouldLoseAHostAfterTheTimeoutThoughANewcomerThereHasNotBegun() {
        judge = new SilenceJudge(TIMEOUT_NS, 10 * TIMEOUT_NS, 20 * TIMEOUT_NS, effects);
        begin();
        assertThat(pass(300)).isEmpty();
        mute.add(5);
        judge.placed(rank(5), 2, nowNs);
        judge.runs(rank(5), nowNs);
        pass(100);
        cutHosts.add(2);
        assertThat(pass(1_700)).singleElement().asString().startsWith("lose [3, 4, 5] of host 2");
    }

    @Test
    void shouldAskMembersAtOnceWhetherTheyHaveBegun() {
        judge = new SilenceJudge(TIMEOUT_NS, 10 * TIMEOUT_NS, 20 * TIMEOUT_NS, effects);
        begin();
        pass(100);
        cutHosts.add(2);
        mute.add(1);
        List<String> ended = pass(2_800);
        assertThat(ended).anyMatch(line -> line.startsWith("lose [3, 4] of host 2"));
        assertThat(ended).anyMatch(line -> line.startsWith("kill 1: was silent for"));
    }

    @Test
    void shouldLoseAHostWithTheLeasesOfItsProcessesHoweverLongAStartMayTake() {
        judge = new SilenceJudge(TIMEOUT_NS, 10 * TIMEOUT_NS, 3 * TIMEOUT_NS, effects);
        begin();
        cutHosts.add(2);
        assertThat(pass(2_900)).isEmpty();
        assertThat(pass(300)).singleElement().asString().startsWith("lose [3, 4] of host 2");
    }

    /**
     * A complainer connects anew again and again, and repeats its complaint each time: the complaint is judged all the
     * same.
     */
    @Test
    void shouldJudgeAComplaintWhoseComplainerConnectsAgainAndAgain() {
        judge.suspects(rank(1), rank(3), nowNs);
        List<String> ended = new ArrayList<>();
        for (int times = 0; times < 8; times++) {
            ended.addAll(pass(300));
            judge.connects(rank(1), nowNs);
            if (ended.isEmpty()) {
                judge.suspects(rank(1), rank(3), nowNs);
            }
        }
        assertThat(ended).isNotEmpty().allMatch(line -> line.contains("is on host 2, which has no path to host 1"));
    }

    @Test
    void shouldDropAComplaintThatIsNotMadeAgainOnTheNextConnection() {
        judge.suspects(rank(1), rank(3), nowNs);
        judge.suspects(rank(1), rank(4), nowNs);
        assertThat(pass(900)).isEmpty();
        judge.connects(rank(1), nowNs);
        judge.suspects(rank(1), rank(4), nowNs);
        pass(50);
        judge.hears(rank(1), rank(4), nowNs);
        assertThat(judge.isIdle()).isTrue();
        assertThat(pass(3_000)).isEmpty();
    }

    /**
     * A heartbeat between hosts may have to wait for a new connection: a delay of less than a timeout is no lost path.
     */
    @Test
    void shouldWaitForAHeartbeatBetweenHostsForATimeout() {
        judge.suspects(rank(1), rank(3), nowNs);
        assertThat(pass(1_900)).isEmpty();
        judge.hears(rank(1), rank(3), nowNs);
        assertThat(pass(3_000)).isEmpty();
    }

    /**
     * Host 1 reaches its limit sooner than host 2. Were host 1 lost alone, members would be told so before the launcher
     * finds that it reaches only a minority.
     */
    @Test
    void shouldCountAllSilentHostsBeforeItLosesTheFirst() {
        needsMajority = true;
        cutHosts.add(1);
        pass(300);
        cutHosts.add(2);
        assertThat(pass(1_250))
                .as("host 1 is silent for 1550 ms, host 2 for 1250")
                .isEmpty();
        assertThat(pass(400)).startsWith("minority without [1, 2, 3, 4]").noneMatch(line -> line.startsWith("lose"));
    }

    @Test
    void shouldLoseAHostThatIsSilentAloneWhereAMajorityIsLeft() {
        needsMajority = true;
        cutHosts.add(1);
        assertThat(pass(1_600)).containsExactly("lose [1, 2] of host 1: is on host 1, which was silent for 1500 ms");
    }

    /**
     * As after a standstill of the launcher: all other members are silent, since they have gone on without it. None of
     * them may be ended.
     */
    @Test
    void shouldEndNoneOfAMajorityThatDoesNotAnswer() {
        needsMajority = true;
        mute.addAll(List.of(1, 2, 3, 4));
        assertThat(pass(4_000)).contains("minority without [1, 2, 3, 4]").noneMatch(line -> line.startsWith("kill"));
    }

    @Test
    void shouldEndAMuteProcessWhereAMajorityIsLeft() {
        needsMajority = true;
        mute.add(3);
        assertThat(pass(4_000)).anyMatch(line -> line.startsWith("kill 3"));
    }
}
