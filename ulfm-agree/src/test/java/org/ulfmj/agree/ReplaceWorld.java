package org.ulfmj.agree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.GrowTerms;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/**
 * Survivor cores and newcomers joined by FIFO channels that deliver only when a test says so. Time stands still unless
 * a test moves it. The test says which member learns of which death, and hears of which newcomer. A process that
 * crashed or ended takes and sends nothing more, but what it had sent stays in the channels.
 */
final class ReplaceWorld {
    /** The communicator of all founders. */
    static final long WORLD = 0xc0;

    static final ReplaceTerms STRICT = new ReplaceTerms(true, 8, 1_000_000_000L);
    static final ReplaceTerms LENIENT = new ReplaceTerms(false, 8, 1_000_000_000L);

    /** A timeout so long that no heartbeat is due in a test. */
    private static final Timing TIMING = Timing.fromTimeout(1_000_000_000_000_000L);

    private final CommunicatorIds ids = new CommunicatorIds(new Digest64(new byte[] {7}));
    private final Membership founders;
    private final boolean needsMajority;
    private final SortedMap<ProcessId, Member> processes = new TreeMap<>();
    private final SortedMap<ProcessId, SortedMap<ProcessId, Deque<ControlMessage>>> channels = new TreeMap<>();
    private final SortedMap<Integer, Integer> incarnations = new TreeMap<>();

    /** The processes without a slot, and whether each lives. */
    private final SortedMap<Long, Boolean> joiners = new TreeMap<>();

    long nowNs;

    /** The admission of each epoch, as the first process that learnt of it was told. */
    private final SortedMap<Long, Admission> told = new TreeMap<>();

    /** Whether a process was suspected. Then processes that others hold for failed may be in separate worlds. */
    private boolean maySplit;

    /** One process, and what its core has asked its driver to do. */
    final class Member extends NotedEffects implements Outbox<ProcessId, ControlMessage> {
        final SurvivorCore core;
        final List<ChangeOutcome> outcomes = new ArrayList<>();
        final List<Decision> decisions = new ArrayList<>();
        final SortedSet<ProcessId> introduced = new TreeSet<>();
        final SortedSet<ProcessId> heardOf = new TreeSet<>();
        /** The last world that the process is or was in; null if that is the world of the founders, or none yet. */
        Admission admission;

        /** All worlds but that of the founders that the process is or was in, by epoch. */
        final SortedMap<Long, Admission> worlds = new TreeMap<>();

        long world = WORLD;
        String goneBecause;
        boolean up = true;
        int contactsAsked;
        final long nonce;

        /**
         * The number of messages that the process still sends before it crashes in the middle of a step; −1 if no such
         * crash is planned.
         */
        private int sendsLeft = -1;

        Member(ProcessId id) {
            this(id, nonceOf(id));
        }

        Member(ProcessId id, long nonce) {
            super(id);
            this.nonce = nonce;
            core = founders.contains(id)
                    ? new SurvivorCore(id, founders, TIMING, needsMajority, this, nowNs)
                    : SurvivorCore.newcomer(id, nonce, TIMING, needsMajority, this, nowNs);
        }

        boolean isLive() {
            return up && fencedBecause == null && goneBecause == null;
        }

        @Override
        public void send(ProcessId to, ControlMessage message) {
            if (up && sendsLeft == 0) {
                up = false;
            }
            if (!up) {
                return;
            }
            Member receiver = processes.get(to);
            boolean isOfLater = !founders.contains(to) || !founders.contains(id);
            if (!maySplit && isOfLater && receiver.isLive() && !introduced.contains(to)) {
                throw new AssertionError(id + " sends " + message + " to " + to + ", to whom it was not introduced");
            }
            channel(id, to).add(message);
            sendsLeft -= sendsLeft > 0 ? 1 : 0;
        }

        @Override
        public void decided(long communicator, long sequence, Decision decision) {
            decisions.add(decision);
        }

        @Override
        public Contact contact(ProcessId process) {
            if (core.membership().epoch() > 0) {
                throw new AssertionError(id + " asks for " + process + ", of which it was told");
            }
            contactsAsked++;
            return ReplaceWorld.contact(process);
        }

        @Override
        public void introduce(Contact contact) {
            introduced.add(contact.process());
            if (joiners.containsKey(contact.nonce())) {
                greet(contact);
            }
        }

        @Override
        public CommunicatorIds ids() {
            return ids;
        }

        @Override
        public void changeEnded(long communicator, ChangeOutcome outcome) {
            if (up) {
                outcomes.add(outcome);
                if (outcome instanceof ChangeOutcome.Admitted admitted) {
                    moveTo(admitted.admission());
                    core.freed(communicator, nowNs, this);
                }
            }
        }

        @Override
        public void welcomed(Admission admission) {
            if (up) {
                moveTo(admission);
            }
        }

        private void moveTo(Admission next) {
            Admission common = told.putIfAbsent(next.epoch(), next);
            worlds.put(next.epoch(), next);
            if (!maySplit && common != null && !common.equals(next)) {
                throw new AssertionError(id + " is in " + next + " and others are in " + common);
            }
            admission = next;
            world = next.world();
            core.register(world, next.membership().slots(), nowNs, this);
        }

        @Override
        public void goneOnWithout(String why) {
            goneBecause = why;
        }

        @Override
        public String toString() {
            return core.toString();
        }
    }

    ReplaceWorld(int size) {
        this(size, false);
    }

    ReplaceWorld(int size, boolean needsMajority) {
        this.founders = Membership.initial(size);
        this.needsMajority = needsMajority;
        for (int slot = 0; slot < size; slot++) {
            ProcessId id = ProcessId.of(slot);
            processes.put(id, new Member(id));
            incarnations.put(slot, 0);
        }
        for (Member member : processes.values()) {
            member.core.start(nowNs, member);
            member.core.register(WORLD, founders.slots(), nowNs, member);
        }
    }

    static long nonceOf(ProcessId process) {
        return 1000L * process.slot() + process.incarnation();
    }

    static Contact contact(ProcessId process) {
        return new Contact(process, nonceOf(process), new byte[] {(byte) process.slot()});
    }

    Collection<Member> processes() {
        return processes.values();
    }

    /** Returns the first process of a slot. */
    Member member(int slot) {
        return processes.get(ProcessId.of(slot));
    }

    Member member(ProcessId id) {
        return processes.get(id);
    }

    Deque<ControlMessage> channel(ProcessId from, ProcessId to) {
        return channels.computeIfAbsent(from, id -> new TreeMap<>()).computeIfAbsent(to, id -> new ArrayDeque<>());
    }

    /** Lets the launcher start the next process of a slot, and returns it. No member hears of it yet. */
    Member start(int slot) {
        ProcessId id = new ProcessId(slot, incarnations.merge(slot, 1, Integer::sum));
        Member newcomer = new Member(id);
        processes.put(id, newcomer);
        newcomer.core.start(nowNs, newcomer);
        return newcomer;
    }

    /** Starts a process without a slot. No member hears of it yet. */
    Joiner join(int hostOrder, long nonce) {
        return join(new Joiner(hostOrder, 0, nonce, new byte[] {(byte) nonce}));
    }

    Joiner join(Joiner joiner) {
        joiners.put(joiner.nonce(), true);
        return joiner;
    }

    void tell(Member member, Joiner joiner) {
        if (member.isLive()) {
            member.core.waiting(joiner);
        }
    }

    void tellAll(Joiner joiner) {
        live().forEach(member -> tell(member, joiner));
    }

    /** A process without a slot dies; if it has been given names since, its processes of those names die with it. */
    void crash(Joiner joiner) {
        joiners.put(joiner.nonce(), false);
        processes.values().stream()
                .filter(member -> member.nonce == joiner.nonce())
                .forEach(this::crash);
    }

    /** A member gives a name to a process without a slot. From then on there is a core under that name. */
    private void greet(Contact contact) {
        Member known = processes.get(contact.process());
        if (known == null) {
            Member named = new Member(contact.process(), contact.nonce());
            named.up = joiners.get(contact.nonce());
            processes.put(contact.process(), named);
            named.core.start(nowNs, named);
        } else if (known.nonce != contact.nonce()) {
            throw new AssertionError("slot " + contact.process() + " for two processes: " + contact);
        }
    }

    void growEverywhere(int most) {
        for (Member member : live()) {
            if (!member.core.isPending()) {
                grow(member, most);
            }
        }
        settle();
    }

    void grow(Member member, int most) {
        grow(member, most, false);
    }

    void grow(Member member, int most, boolean isOfRecovery) {
        if (member.isLive()) {
            member.core.grow(member.world, new GrowTerms(most, isOfRecovery), nowNs, member);
        }
    }

    /** Returns the process of a slot that was started last. */
    Member holder(int slot) {
        return processes.get(new ProcessId(slot, incarnations.get(slot)));
    }

    void announce(Member newcomer, Member to) {
        if (to.isLive() && to.heardOf.add(newcomer.id)) {
            to.core.pending(contact(newcomer.id), nowNs, to);
        }
    }

    void announceToAll(Member newcomer) {
        for (Member each : List.copyOf(processes.values())) {
            announce(newcomer, each);
        }
    }

    void replace(Member member, ReplaceTerms terms) {
        if (member.isLive()) {
            member.core.replace(member.world, terms, nowNs, member);
        }
    }

    void replaceEverywhere(ReplaceTerms terms) {
        for (Member member : List.copyOf(processes.values())) {
            if (!member.core.isPending()) {
                replace(member, terms);
            }
        }
    }

    void replaceStrictly() {
        replaceEverywhere(STRICT);
        settle();
    }

    /** Lets the launcher start the next process of a slot. All members hear of it, and all messages are delivered. */
    void fill(int slot) {
        announceToAll(start(slot));
        settle();
    }

    /** Registers a communicator of all members at each live process. */
    void registerEverywhere(long communicator) {
        for (Member member : live()) {
            member.core.register(communicator, member.core.membership().slots(), 0, member);
        }
    }

    void enterEverywhere(Contribution contribution) {
        for (Member member : live()) {
            enter(member, contribution);
        }
        settle();
    }

    void enter(Member member, Contribution contribution) {
        if (member.isLive()) {
            member.core.enter(member.world, contribution, nowNs, member);
        }
    }

    boolean deliver(ProcessId from, ProcessId to) {
        ControlMessage message = channel(from, to).poll();
        Member receiver = processes.get(to);
        if (message != null && receiver.isLive()) {
            receiver.core.onMessage(from, message, nowNs, receiver);
        }
        return message != null;
    }

    void crash(Member member) {
        member.up = false;
    }

    /** The process sends this many more messages, and crashes at the next one. */
    void crashAfterSends(Member member, int sends) {
        member.sendsLeft = sends;
    }

    /**
     * The first process, if it lives, learns for certain that the second one is dead, and drains it. Messages of the
     * dead process that are still in the channel do not count any more.
     */
    void tellDeath(Member member, Member dead) {
        if (member.isLive()) {
            Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, member.id, "process ended by signal 9");
            member.core.onEvidence(dead.id, evidence, nowNs, member);
            if (member.isLive() && member.toDrain.remove(dead.id)) {
                member.core.onDrained(dead.id, nowNs, member);
            }
        }
    }

    void suspect(Member member, Member suspected) {
        maySplit = true;
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, member.id, "no heartbeat");
        member.core.onEvidence(suspected.id, evidence, nowNs, member);
    }

    /** Time passes at all members. */
    void pass(long ns) {
        nowNs += ns;
        for (Member member : List.copyOf(processes.values())) {
            if (member.isLive()) {
                member.core.onTick(nowNs, member);
                for (ProcessId process : List.copyOf(member.silent)) {
                    suspect(member, processes.get(process));
                }
                member.silent.clear();
            }
        }
    }

    /**
     * Whether a live process has marked this one failed. Then this process must end, and its messages until then do not
     * count.
     */
    boolean isExcluded(Member member) {
        return live().stream().anyMatch(other -> other.core.failures().hasFailed(member.id));
    }

    boolean hasNewsOfDeath(Member member, Member dead) {
        return member.isLive() && !dead.isLive() && !member.core.failures().isGone(dead.id);
    }

    /** Delivers messages and tells processes of deaths, in a fixed order, until nothing is left to do. */
    void settle() {
        settleWithout(null);
    }

    /** As {@link #settle}, but no message is delivered to the given process, and it is told of no death. */
    void settleWithout(Member deaf) {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (ProcessId from : List.copyOf(processes.keySet())) {
                for (ProcessId to : List.copyOf(processes.keySet())) {
                    if (processes.get(to) == deaf) {
                        continue;
                    }
                    busy |= deliver(from, to);
                    Member member = processes.get(to);
                    Member other = processes.get(from);
                    if (channel(from, to).isEmpty() && hasNewsOfDeath(member, other)) {
                        tellDeath(member, other);
                        busy = true;
                    }
                }
            }
        }
    }

    /** Returns all processes that run, members and newcomers: those that have neither crashed nor ended. */
    List<Member> live() {
        List<Member> live = new ArrayList<>(processes.values());
        live.removeIf(member -> !member.isLive());
        return live;
    }

    SortedMap<Long, Admission> told() {
        return told;
    }
}
