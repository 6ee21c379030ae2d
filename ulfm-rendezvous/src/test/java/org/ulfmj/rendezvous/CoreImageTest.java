package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/**
 * Tests of the images of cores, above all that a core that is restored from its image behaves as the original core:
 * same messages, same events, same image.
 */
class CoreImageTest {
    private static final long MS = 1_000_000;
    private static final int JOBS = 200;
    private static final int EVENTS = 150;

    private static final RunSpec STATIC = new RunSpec("job", 3, 5, 2_000 * MS, 500 * MS);
    private static final RunSpec ELASTIC = new RunSpec("job", new WorldSize(2, 3, 100 * MS), 5, 2_000 * MS, 500 * MS);

    /** One job with a random sequence of events that its core is told of. */
    private static final class Job {
        final Random random;
        final RunSpec run;
        final TwinCores twins;
        final List<MemberRecord> processes = new ArrayList<>();
        long lastNonce = 100;
        int lastSpare;

        Job(RunSpec run, long seed, boolean judges) {
            this.run = run;
            this.random = new Random(seed);
            this.twins = new TwinCores(run, judges);
        }

        private RendezvousCore core() {
            return twins.core();
        }

        /** Returns what differs; null if nothing does. */
        String play() {
            for (int i = 0; i < EVENTS; i++) {
                int event = random.nextInt(100);
                String differs = event < 4 ? twins.passTime() : event < 40 ? advance() : disturb();
                if (differs != null) {
                    return "event " + i + ": " + differs;
                }
            }
            return null;
        }

        private MemberRecord any() {
            return processes.isEmpty() ? newProcess() : processes.get(random.nextInt(processes.size()));
        }

        private ProcessId nameOf(MemberRecord process) {
            ProcessId name = core().nameOf(process.nonce());
            return name == null ? process.id() : name;
        }

        private MemberRecord newProcess() {
            int incarnation = random.nextInt(4) == 0 ? random.nextInt(3) : 0;
            ProcessId id = run.isElastic() ? Joiner.NAMELESS : new ProcessId(random.nextInt(run.size()), incarnation);
            return added(id, ++lastNonce);
        }

        private MemberRecord added(ProcessId id, long nonce) {
            MemberRecord process = Members.member(id, nonce, 4000 + nonce);
            processes.add(process);
            return process;
        }

        /** What brings a world forward. */
        private String advance() {
            RendezvousCore.Phase phase = core().phase();
            if (phase == RendezvousCore.Phase.FROZEN) {
                return confirm();
            }
            if (phase == RendezvousCore.Phase.FINAL && random.nextInt(3) == 0) {
                return commit();
            }
            if (phase == RendezvousCore.Phase.ROLLCALL) {
                int call = 1 + random.nextInt(3);
                return say(any(), new RendezvousMessage.StillWaiting(call));
            }
            return join(random.nextInt(3) == 0 ? any() : newProcess());
        }

        private String confirm() {
            for (MemberRecord process : processes) {
                for (int round = 1; round < 4; round++) {
                    String differs = random.nextInt(8) == 0 ? null : say(process, new RendezvousMessage.Confirm(round));
                    if (differs != null) {
                        return differs;
                    }
                }
            }
            return null;
        }

        private String join(MemberRecord process) {
            RendezvousMessage message = run.isElastic()
                    ? new RendezvousMessage.JoinAnywhere(new Joiner(0, (int) process.nonce(), process), 0, 0)
                    : new RendezvousMessage.Join(process, 0, 0);
            return say(process, message);
        }

        private String say(MemberRecord process, RendezvousMessage message) {
            return twins.step((core, out) -> core.onMessage(process.nonce(), message, twins.nowNs(), out));
        }

        /** A process reports a world with a random table of members, of which it is one; no report if it is empty. */
        private String commit() {
            List<MemberRecord> members = new ArrayList<>();
            SortedSet<Integer> slots = new TreeSet<>();
            for (MemberRecord process : processes) {
                ProcessId name = core().nameOf(process.nonce());
                boolean isIn = name != null && (!Joiner.isProvisional(name) || random.nextBoolean());
                if (isIn && random.nextInt(8) > 0 && slots.size() < run.size()) {
                    int slot = Joiner.isProvisional(name) ? 3 + random.nextInt(4) : name.slot();
                    if (slots.add(slot)) {
                        members.add(process.named(
                                new ProcessId(slot, Joiner.isProvisional(name) ? 0 : name.incarnation())));
                    }
                }
            }
            if (members.isEmpty()) {
                return null;
            }
            members.sort((left, right) -> left.id().compareTo(right.id()));
            int epoch = 1 + random.nextInt(4);
            RendezvousMessage.Committed word =
                    new RendezvousMessage.Committed(1 + random.nextInt(2), epoch, members, random.nextInt(2));
            return say(members.get(random.nextInt(members.size())), word);
        }

        private String disturb() {
            MemberRecord process = any();
            ProcessId name = nameOf(process);
            int slot = random.nextInt(run.size());
            int number = 1 + random.nextInt(3);
            switch (random.nextInt(run.isElastic() ? 18 : 26)) {
                case 0, 1, 2:
                    return join(process);
                case 3, 4, 5:
                    return twins.step((core, out) -> core.onEnded(name, "killed", twins.nowNs(), out));
                case 6:
                    return say(process, new RendezvousMessage.Goodbye(SlotSet.of(slot)));
                case 7:
                    return say(process, new RendezvousMessage.Leave("preempted"));
                case 8:
                    return say(process, new RendezvousMessage.Reached(random.nextInt(3)));
                case 9:
                    return say(process, new RendezvousMessage.Waits(random.nextInt(3), new byte[] {1}));
                case 10:
                    return twins.step((core, out) -> core.onFence(name, "fenced", out));
                case 11:
                    return twins.step((core, out) -> core.onSignal(name, "TERM", out));
                case 12:
                    return twins.step((core, out) -> core.onAskWaits(name, slot, out));
                case 13:
                    return twins.step((core, out) -> core.onDeparted(name, twins.nowNs(), out));
                case 14:
                    return twins.step((core, out) -> core.onAllStartedJoined(twins.nowNs(), out));
                case 15:
                    return say(process, new RendezvousMessage.Abort(3, "for a test"));
                case 16:
                    return random.nextInt(20) > 0 ? null : twins.step((core, out) -> core.onAbort(3, "abort", out));
                case 17:
                    return random.nextInt(20) > 0 ? null : twins.step((core, out) -> core.onClose("closed", out));
                case 18, 19:
                    return restart(slot);
                case 20:
                    return random.nextInt(3) > 0
                            ? null
                            : twins.step((core, out) -> core.onNoMore(slot, "none is left", twins.nowNs(), out));
                case 21, 22:
                    return spare(process, name);
                case 23:
                    return twins.step((core, out) -> core.onSpareEnded(number, twins.nowNs(), out));
                case 24:
                    return twins.step((core, out) -> core.onPlaced(name, number));
                default:
                    return twins.step((core, out) -> core.onSparePlaced(number, 1));
            }
        }

        /** The launcher allows a process of a slot, of random incarnation, and that process joins. */
        private String restart(int slot) {
            ProcessId next = new ProcessId(slot, random.nextInt(4));
            String differs = twins.step((core, out) -> core.onRestartAllowed(next));
            return differs != null ? differs : join(added(next, ++lastNonce));
        }

        private String spare(MemberRecord process, ProcessId name) {
            int number = 1 + random.nextInt(3);
            if (random.nextInt(3) > 0) {
                long nonce = 50 + number + (random.nextInt(9) == 0 ? 10 : 0);
                MemberRecord spare = Members.member(process.id(), nonce, nonce);
                return say(spare, new RendezvousMessage.Spare(number));
            }
            ProcessId next = new ProcessId(name.slot() % run.size(), random.nextInt(4));
            String differs = twins.step((core, out) -> core.onAssign(number, next, twins.nowNs(), out));
            return differs != null || random.nextBoolean() ? differs : join(added(next, 50 + number));
        }
    }

    private static SortedSet<String> play(RunSpec run, boolean judges) {
        SortedSet<String> seen = new TreeSet<>();
        for (int seed = 1; seed <= JOBS; seed++) {
            Job job = new Job(run, seed, judges);
            assertThat(job.play()).as("seed %d of %s", seed, run).isNull();
            seen.addAll(job.twins.seen());
        }
        return seen;
    }

    @Test
    void shouldGoOnAsTheCoreOfAStaticWorldWould() {
        assertThat(play(STATIC, false))
                .contains("Table", "Final", "Wait", "Out", "Death", "Departed", "Fence", "Abort", "GoodbyeHeard")
                .contains("LeaveHeard", "Signal", "AskWaits", "CLOSED", "FINAL");
    }

    @Test
    void shouldGoOnAsTheCoreOfAWorldThatReplacesItsDeadWould() {
        assertThat(play(STATIC.withRestarts().withMajority(true), false))
                .contains("Pending", "NoMore", "Assign", "Recall", "onCommitted", "onExcluded", "onLeftOut")
                .contains("onWorldGone", "onSpare", "Death", "Departed", "ROLLCALL", "FROZEN", "JOINABLE");
    }

    @Test
    void shouldGoOnAsTheCoreOfAnElasticWorldWould() {
        assertThat(play(ELASTIC, false))
                .contains("Waiting", "Recall", "onArrived", "onBegun", "onCommitted", "onExcluded", "onWorldGone")
                .contains("Death", "Departed", "LeaveHeard", "FINAL", "JOINABLE", "FROZEN");
    }

    @Test
    void shouldKeepWhatTheJudgeHasDecided() {
        // Open questions and complaints of the judge are not part of an image, so only the images of the two cores are
        // compared, and not what the cores do next.
        RunSpec run = STATIC.withRestarts().withMajority(true).withSilence(1_000 * MS);
        List<String> heard = new ArrayList<>();
        RendezvousCore core = new RendezvousCore(run, new RecordedListener(heard));
        for (int slot = 0; slot < 3; slot++) {
            core.onPlaced(ProcessId.of(slot), slot);
        }
        for (int slot = 0; slot < 3; slot++) {
            MemberRecord member = Members.member(slot, 10 + slot);
            core.onMessage(member.nonce(), new RendezvousMessage.Join(member, 0, 0), 1, (nonce, message) -> {});
        }
        for (int slot = 0; slot < 3; slot++) {
            core.onMessage(10L + slot, new RendezvousMessage.Confirm(1), 1, (nonce, message) -> {});
        }
        long nowNs = 1;
        while (heard.stream().noneMatch(word -> word.startsWith("lost [2]"))) {
            nowNs += 50 * MS;
            assertThat(nowNs).isLessThan(60_000 * MS);
            for (int slot = 0; slot < 2; slot++) {
                core.onAgentHeard(slot, nowNs, (nonce, message) -> {});
                core.onMessage(10L + slot, new RendezvousMessage.KeepAlive(1), nowNs, (nonce, message) -> {
                    if (message instanceof RendezvousMessage.AreYouThere question) {
                        core.onMessage(nonce, new RendezvousMessage.Here(question.question()), 1, (each, answer) -> {});
                    }
                });
            }
            core.onTick(nowNs, (nonce, message) -> {});
        }
        List<String> after = new ArrayList<>();
        List<String> said = new ArrayList<>();
        RendezvousCore next = RendezvousCore.restored(core.image(), new RecordedListener(after), 0, true, 0, nowNs);
        assertThat(next.image()).isEqualTo(core.image());
        next.onMessage(12L, new RendezvousMessage.KeepAlive(1), nowNs, (nonce, message) -> said.add("" + message));
        assertThat(said).as("a process of a lost host is not kept").isEmpty();
        next.onAgentHeard(2, nowNs + MS, (nonce, message) -> {});
        next.onTick(nowNs + 100 * MS, (nonce, message) -> {});
        assertThat(after).anyMatch(word -> word.startsWith("silent 2: is on host 2"));
    }

    @Test
    void shouldReadTheJobFromItsImage() {
        RunSpec run = STATIC.withRestarts().withMajority(true).withSilence(1_000 * MS);
        assertThat(RendezvousCore.runOf(new RendezvousCore(run, new SilentListener()).image()))
                .isEqualTo(run);
        assertThat(RendezvousCore.runOf(new RendezvousCore(ELASTIC, new SilentListener()).image()))
                .isEqualTo(ELASTIC);
    }

    @Test
    void shouldRefuseWhatIsNoImage() {
        byte[] image = new RendezvousCore(STATIC, new SilentListener()).image();
        image[0] = 9;
        assertThatThrownBy(() -> RendezvousCore.runOf(image))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("the stored state of the job has version 9, this release reads version 1");
        RendezvousCore leased =
                new RendezvousCore(STATIC.withSilence(1_000 * MS).withLease(5_000 * MS), new SilentListener());
        assertThatThrownBy(leased::image)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ulfm.rdzv.lease");
    }

    @Test
    void shouldKeepALargeJobSmall() {
        RunSpec run = new RunSpec("job", 512, 5, 2_000 * MS, 500 * MS).withRestarts();
        RendezvousCore core = new RendezvousCore(run, new SilentListener());
        for (int slot = 0; slot < 512; slot++) {
            MemberRecord member = Members.member(slot, 1_000 + slot);
            core.onMessage(member.nonce(), new RendezvousMessage.Join(member, 0, 0), 1, (nonce, message) -> {});
        }
        assertThat(core.image().length).isLessThan(512 * 150);
    }
}
