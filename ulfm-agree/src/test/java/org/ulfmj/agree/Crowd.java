package org.ulfmj.agree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;

/**
 * Survivor cores joined by FIFO channels that deliver only when a test says so. Heartbeats and their requests are left
 * out: the test says which process learns of which death, and when.
 *
 * <p>A process that crashed or fenced itself takes and sends nothing more, but what it had sent stays in the channels.
 */
final class Crowd {
    /** The communicator that all processes have from the start. */
    static final long COMM = 0xc0;

    private static final Timing TIMING = Timing.fromTimeout(1_000_000_000L);

    /** One process, and what its core has asked its driver to do. */
    final class Member extends NotedEffects {
        final SurvivorCore core;
        /** The decisions on {@link #COMM}, by the number of the call. */
        final SortedMap<Long, Decision> decisions = new TreeMap<>();
        /** The decision of the last call on each other communicator. */
        final SortedMap<Long, Decision> decisionsElsewhere = new TreeMap<>();

        final List<ProcessId> departed = new ArrayList<>();
        final List<Long> revoked = new ArrayList<>();
        final SortedSet<ProcessId> sessions = new TreeSet<>();
        boolean up = true;

        /**
         * The number of agreement messages that the process still sends before it crashes in the middle of a step; −1
         * if it does not crash.
         */
        private int sendsLeft = -1;

        Member(int slot) {
            super(ProcessId.of(slot));
            core = new SurvivorCore(id, membership, TIMING, needsMajority, this, 0);
        }

        boolean isLive() {
            return up && fencedBecause == null;
        }

        @Override
        public void departed(ProcessId process) {
            departed.add(process);
        }

        @Override
        public void revoked(long communicator) {
            revoked.add(communicator);
        }

        @Override
        public void decided(long communicator, long sequence, Decision decision) {
            if (communicator != COMM) {
                decisionsElsewhere.put(communicator, decision);
            } else if (up && decisions.put(sequence, decision) != null) {
                throw new AssertionError("process " + id + " was told twice about agreement " + sequence);
            }
        }

        @Override
        public Collection<ProcessId> peersWithSession() {
            return sessions;
        }

        @Override
        public Contact contact(ProcessId process) {
            return ReplaceWorld.contact(process);
        }

        void send(ProcessId to, ControlMessage message) {
            boolean ofAgreement = message instanceof ControlMessage.OfAgreement;
            boolean ofRing = message instanceof ControlMessage.Detector detector
                    && !(detector.message() instanceof DetectorMessage.Obituary);
            if (up && ofAgreement && sendsLeft == 0) {
                crash(id.slot());
            }
            if (up && !ofRing) {
                channel(id.slot(), to.slot()).add(message);
                sent++;
            }
            if (ofAgreement && sendsLeft > 0) {
                sendsLeft--;
            }
        }
    }

    final List<Member> members = new ArrayList<>();
    int sent;

    private final Membership membership;
    private final boolean needsMajority;
    private final SortedMap<Integer, SortedMap<Integer, Deque<ControlMessage>>> channels = new TreeMap<>();

    Crowd(int size) {
        this(size, false);
    }

    Crowd(int size, boolean needsMajority) {
        this.needsMajority = needsMajority;
        membership = Membership.initial(size);
        for (int slot = 0; slot < size; slot++) {
            members.add(new Member(slot));
        }
        for (Member member : members) {
            register(member.id.slot(), COMM);
        }
    }

    Member member(int slot) {
        return members.get(slot);
    }

    Deque<ControlMessage> channel(int from, int to) {
        return channels.computeIfAbsent(from, slot -> new TreeMap<>()).computeIfAbsent(to, slot -> new ArrayDeque<>());
    }

    void register(int slot, long communicator) {
        register(slot, communicator, SlotRuns.range(members.size()));
    }

    void register(int slot, long communicator, SlotRuns slots) {
        Member member = member(slot);
        if (member.isLive()) {
            member.core.register(communicator, slots, 0, member::send);
        }
    }

    long agree(int slot, int flag, int... acknowledged) {
        return enter(slot, new Contribution(Kind.AGREE, flag, SlotSet.of(acknowledged)));
    }

    /** These processes call agree, one after the other. */
    void agreeAt(int... slots) {
        for (int slot : slots) {
            agree(slot, -1);
        }
    }

    void agreeAll() {
        agreeAt(SlotRuns.range(members.size()).toArray());
    }

    void finishAll() {
        for (Member member : members) {
            finish(member.id.slot());
        }
    }

    long shrink(int slot) {
        return enter(slot, new Contribution(Kind.SHRINK, -1, SlotSet.ALL));
    }

    long enter(int slot, Contribution contribution) {
        return enterOn(COMM, slot, contribution);
    }

    long enterOn(long communicator, int slot, Contribution contribution) {
        Member member = member(slot);
        return member.isLive() ? member.core.enter(communicator, contribution, 0, member::send) : -1;
    }

    void finish(int slot) {
        Member member = member(slot);
        if (member.isLive()) {
            member.core.enterFinalize(COMM, 0, member::send);
        }
    }

    /**
     * Delivers the oldest message of a channel; false if there is none. A message to a process that has ended is lost.
     */
    boolean deliver(int from, int to) {
        ControlMessage message = channel(from, to).poll();
        Member receiver = member(to);
        if (message != null && receiver.isLive()) {
            receiver.core.onMessage(member(from).id, message, 0, receiver::send);
        }
        return message != null;
    }

    void deliverAll(int from, int to) {
        while (deliver(from, to)) {
            // Until the channel is empty.
        }
    }

    /**
     * The first process learns for certain that the second one is dead, and drains it. Messages of the dead process
     * that are in the channel are ignored when they come, apart from an obituary of the first process.
     */
    void tellDeath(int slot, int dead) {
        tellDeathBeforeDraining(slot, dead);
        drained(slot, dead);
    }

    void tellDeathBeforeDraining(int slot, int dead) {
        Member member = member(slot);
        if (member.isLive()) {
            Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, member.id, "process ended by signal 9");
            member.core.onEvidence(member(dead).id, evidence, 0, member::send);
        }
    }

    /** The first process has read what had arrived from the dead process, and marks it failed. */
    void drained(int slot, int dead) {
        Member member = member(slot);
        if (member.isLive() && member.toDrain.remove(member(dead).id)) {
            member.core.onDrained(member(dead).id, 0, member::send);
        }
    }

    void suspect(int slot, int suspected) {
        Member member = member(slot);
        if (member.isLive()) {
            Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, member.id, "no heartbeat");
            member.core.onEvidence(member(suspected).id, evidence, 0, member::send);
        }
    }

    void tellDeparted(int slot, int departed) {
        Member member = member(slot);
        if (member.isLive()) {
            member.core.onDeparted(member(departed).id, 0, member::send);
        }
    }

    /** As {@link #tellDeparted}, by nonce. */
    void tellDepartedByNonce(int slot, int departed) {
        Member member = member(slot);
        if (member.isLive()) {
            member.core.onEnd(ReplaceWorld.nonceOf(member(departed).id), null, 0, member::send);
        }
    }

    void crash(int slot) {
        member(slot).up = false;
    }

    /**
     * A process that has decided Finalize ends. The first {@code arriving} of its last messages in each channel still
     * arrive, and all its obituaries, because the process has waited until those were handed over.
     */
    void leave(int slot, int arriving) {
        if (!member(slot).core.isLeaving()) {
            throw new AssertionError("process " + slot + " has not decided Finalize");
        }
        crash(slot);
        for (Deque<ControlMessage> channel :
                channels.getOrDefault(slot, new TreeMap<>()).values()) {
            int place = 0;
            for (Iterator<ControlMessage> messages = channel.iterator(); messages.hasNext(); place++) {
                if (obituaryOf(messages.next()) == null && place >= arriving) {
                    messages.remove();
                }
            }
        }
    }

    /** The process sends this many more agreement messages, and crashes at the next one. */
    void crashAfterSends(int slot, int sends) {
        member(slot).sendsLeft = sends;
    }

    /** Delivers messages and tells processes of deaths, in a fixed order, until nothing is left to do. */
    void settle() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (int from = 0; from < members.size(); from++) {
                for (int to = 0; to < members.size(); to++) {
                    busy |= deliver(from, to);
                    busy |= learnIfDead(to, from);
                }
            }
        }
    }

    private boolean learnIfDead(int slot, int dead) {
        Member member = member(slot);
        boolean news = member.isLive()
                && !member(dead).isLive()
                && channel(dead, slot).isEmpty()
                && !member.core.failures().isGone(member(dead).id)
                && !member.core.isLeaving();
        if (news) {
            tellDeath(slot, dead);
        }
        return news;
    }

    /**
     * The processes that run and are not excluded. A process is excluded if a running process has marked it failed, or
     * has an obituary of it under way to itself that it will not ignore.
     */
    List<Member> core() {
        SortedSet<ProcessId> excluded = new TreeSet<>();
        for (Member member : members) {
            if (member.isLive()) {
                excluded.addAll(member.failed);
                for (Member sender : members) {
                    channel(sender.id.slot(), member.id.slot()).stream()
                            .map(Crowd::obituaryOf)
                            .filter(subject -> subject != null
                                    && (subject.equals(member.id) || !member.failed.contains(sender.id)))
                            .forEach(excluded::add);
                }
            }
        }
        List<Member> core = new ArrayList<>(members);
        core.removeIf(member -> !member.isLive() || excluded.contains(member.id));
        return core;
    }

    static ProcessId obituaryOf(ControlMessage message) {
        return message instanceof ControlMessage.Detector detector
                        && detector.message() instanceof DetectorMessage.Obituary obituary
                ? obituary.failed()
                : null;
    }

    /**
     * The decision of one agreement, the same at all processes of {@link #core}; throws if two differ or one is
     * missing.
     */
    Decision commonDecision(long sequence) {
        Decision common = null;
        for (Member member : core()) {
            Decision decision = member.decisions.get(sequence);
            if (decision == null) {
                throw new AssertionError("process " + member.id + " hangs: "
                        + member.core.agreements().describe(COMM, sequence));
            }
            if (common != null && !common.equals(decision)) {
                throw new AssertionError("process " + member.id + " decided " + decision + " and not " + common);
            }
            common = decision;
        }
        return common;
    }
}
