package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/**
 * Random jobs of a growing world whose launcher is out of office now and then. If an event that the launcher is told
 * names a process, the launcher knows the process by that name, and the name means no other process to the coordinator.
 */
class NamesMeanwhileTest {
    private static final long MS = 1_000_000;
    private static final int JOBS = 1000;
    private static final int EVENTS = 120;
    private static final Outbox<Long, RendezvousMessage> NOWHERE = (nonce, message) -> {};
    private static final RunSpec RUN =
            new RunSpec("job", new WorldSize(1, 3, 100 * MS), 5, 2_000 * MS, 500 * MS).withSilence(1_000 * MS);

    /** The names and processes that the launcher knows from the events that it was told. */
    private static final class Launcher {
        private final Map<ProcessId, Long> nonces = new TreeMap<>();
        private final SortedSet<String> told = new TreeSet<>();
        private final List<String> unknown = new ArrayList<>();

        /** Null while another process has the office. */
        private RendezvousCore core;

        ServerListener listener() {
            return (ServerListener) Proxy.newProxyInstance(
                    ServerListener.class.getClassLoader(),
                    new Class<?>[] {ServerListener.class},
                    (proxy, method, args) -> hear(method, args == null ? new Object[0] : args));
        }

        private Object hear(Method method, Object... args) {
            if (core != null) {
                told.add(method.getName());
                for (Object arg : args) {
                    learn(arg);
                }
                for (Object arg : args) {
                    if (arg instanceof ProcessId name) {
                        check(method.getName(), name);
                    }
                }
            }
            return method.getReturnType() == boolean.class
                    ? Boolean.TRUE
                    : method.getReturnType() == long.class ? 0L : null;
        }

        private void learn(Object arg) {
            if (arg instanceof Joiner joiner) {
                nonces.put(joiner.member().id(), joiner.nonce());
            } else if (arg instanceof MemberRecord member) {
                nonces.put(member.id(), member.nonce());
            } else if (arg instanceof List<?> members) {
                members.forEach(this::learn);
            }
        }

        private void check(String what, ProcessId name) {
            Long meant = core.nonceOf(name);
            if (!nonces.containsKey(name) || meant != null && !meant.equals(nonces.get(name))) {
                unknown.add(what + " of " + name + ", which is " + meant + ", and known as " + nonces.get(name));
            }
        }
    }

    /** One job with a random sequence of events that its core is told of. */
    private static final class Job {
        private final Random random;
        private final Launcher launcher = new Launcher();
        private final List<MemberRecord> processes = new ArrayList<>();
        private RendezvousCore core = new RendezvousCore(RUN, launcher.listener());
        private byte[] former;
        private long nowNs = 1;

        Job(long seed) {
            random = new Random(seed);
            launcher.core = core;
        }

        void play() {
            for (int i = 0; i < EVENTS && launcher.unknown.isEmpty(); i++) {
                if (random.nextInt(10) == 0) {
                    changeTheCoordinator();
                }
                nowNs += random.nextInt(8) == 0 ? 1_500 * MS : 10 * MS;
                core.onTick(nowNs, NOWHERE);
                step(random.nextInt(100));
            }
        }

        private void changeTheCoordinator() {
            byte[] image = core.image();
            boolean wasInOffice = launcher.core != null;
            core = RendezvousCore.restored(image, launcher.listener(), 7, true, 0, nowNs);
            if (wasInOffice) {
                former = image;
                launcher.core = null;
            } else {
                launcher.core = core;
                core.tellSince(former);
            }
        }

        private void step(int event) {
            if (event < 20 && processes.size() < 12) {
                long nonce = 100 + processes.size();
                processes.add(Members.member(Joiner.NAMELESS, nonce, nonce));
                join(processes.get(processes.size() - 1));
            } else if (processes.isEmpty()) {
                return;
            } else if (event < 30) {
                core.onAllStartedJoined(nowNs, NOWHERE);
            } else if (event < 50) {
                for (MemberRecord process : processes) {
                    for (int round = 1; round < 4; round++) {
                        say(process, new RendezvousMessage.Confirm(round));
                    }
                }
            } else if (event < 70) {
                commit();
            } else {
                disturb(any());
            }
        }

        private MemberRecord any() {
            return processes.get(random.nextInt(processes.size()));
        }

        private void disturb(MemberRecord process) {
            ProcessId name = core.nameOf(process.nonce());
            ProcessId other = core.nameOf(any().nonce());
            switch (random.nextInt(12)) {
                case 0, 1 -> join(process);
                case 2 -> {
                    if (name != null) {
                        core.onEnded(name, "killed", nowNs, NOWHERE);
                    }
                }
                case 3 -> {
                    if (name != null) {
                        core.onFence(name, "fenced", NOWHERE);
                    }
                }
                case 4 -> say(process, new RendezvousMessage.Leave("preempted"));
                case 5 -> say(process, new RendezvousMessage.StillWaiting(1 + random.nextInt(3)));
                case 6 -> {
                    if (random.nextInt(6) == 0) {
                        say(process, new RendezvousMessage.Goodbye(SlotSet.EMPTY));
                    }
                }
                case 7, 8, 9 -> {
                    if (other != null) {
                        say(process, new RendezvousMessage.Suspect(other));
                    }
                }
                case 10 -> {
                    if (name != null) {
                        core.onLooked(name, 'T', random.nextBoolean(), nowNs, NOWHERE);
                    }
                }
                default -> say(process, new RendezvousMessage.Abort(3, "for a test"));
            }
        }

        private void join(MemberRecord process) {
            Joiner joiner = new Joiner(0, (int) process.nonce(), process);
            say(process, new RendezvousMessage.JoinAnywhere(joiner, 0, 0));
        }

        private void say(MemberRecord process, RendezvousMessage message) {
            core.onMessage(process.nonce(), message, nowNs, NOWHERE);
        }

        /** A process reports a world with a random table of members, of which it is one; no report if it is empty. */
        private void commit() {
            List<MemberRecord> members = new ArrayList<>();
            SortedSet<Integer> slots = new TreeSet<>();
            for (MemberRecord process : processes) {
                ProcessId name = core.nameOf(process.nonce());
                boolean isIn = name != null && (!Joiner.isProvisional(name) || random.nextInt(3) == 0);
                int slot = !isIn ? 0 : Joiner.isProvisional(name) ? 3 + random.nextInt(4) : name.slot();
                if (isIn && random.nextInt(6) > 0 && slots.size() < 3 && slots.add(slot)) {
                    members.add(process.named(ProcessId.of(slot)));
                }
            }
            if (!members.isEmpty()) {
                members.sort((left, right) -> left.id().compareTo(right.id()));
                MemberRecord from = members.get(random.nextInt(members.size()));
                int round = 1 + random.nextInt(2);
                int epoch = 1 + random.nextInt(6);
                say(from, new RendezvousMessage.Committed(round, epoch, members, random.nextInt(2)));
            }
        }
    }

    @Test
    void shouldKnowEachNameThatTheCoordinatorUses() {
        SortedSet<String> told = new TreeSet<>();
        for (int seed = 1; seed <= JOBS; seed++) {
            Job job = new Job(seed);
            job.play();
            assertThat(job.launcher.unknown).as("seed %d", seed).isEmpty();
            told.addAll(job.launcher.told);
        }
        assertThat(told)
                .contains("onArrived", "onBegun", "onCommitted", "onNamed", "onSuspect", "onFenced")
                .contains("onWorldGone", "onLeave", "onAbort", "onGoodbye", "onExcluded", "onPending", "onJoined");
    }
}
