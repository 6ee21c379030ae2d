package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.consensus.AgreementContext;
import org.ulfmj.agree.consensus.Electorate;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The rank as the agreements of one membership epoch see it: communicators keep the members that they were made of,
 * also when another epoch is in force. Not thread-safe.
 */
final class Epoch implements AgreementContext {
    private final Survivor rank;
    private final Losses losses;
    private final Goodbyes goodbyes;
    private final Worlds worlds;
    private final Membership membership;
    private final Electorate electorate;
    /** How many communicators of this epoch have their agreements kept here, freed ones included. */
    private int communicators;
    /** The first communicator of all members: the one that the program knows as the world. */
    private long world;

    private boolean hasWorld;

    Epoch(
            Survivor rank,
            Losses losses,
            Goodbyes goodbyes,
            Worlds worlds,
            Membership membership,
            Electorate electorate) {
        this.rank = rank;
        this.losses = losses;
        this.goodbyes = goodbyes;
        this.worlds = worlds;
        this.membership = membership;
        this.electorate = electorate;
    }

    /** Notes that a communicator of this epoch exists here from now on. */
    void began(long communicator, SlotRuns members) {
        communicators++;
        if (!hasWorld && members.equals(membership.slots())) {
            hasWorld = true;
            world = communicator;
        }
    }

    boolean isWorld(long communicator) {
        return hasWorld && world == communicator;
    }

    @Override
    public void ended() {
        communicators--;
        worlds.dropUnused();
    }

    boolean isInUse() {
        return communicators > 0;
    }

    @Override
    public Membership membership() {
        return membership;
    }

    @Override
    public ProcessId process(int slot) {
        return membership.process(slot);
    }

    @Override
    public SlotSet failed(SlotRuns members) {
        return rank.failures().failedAmong(members, membership);
    }

    @Override
    public SlotSet gone(SlotRuns members) {
        return rank.failures().goneAmong(members, membership);
    }

    @Override
    public void fail(SlotSet slots, ProcessId toldBy, Outbox<ProcessId, ControlMessage> out) {
        Evidence evidence = new Evidence(Evidence.Kind.AGREED, toldBy, "listed as failed in an agreement");
        List<Loss> fresh = new ArrayList<>();
        for (int slot : slots.toArray()) {
            ProcessId process = membership.process(slot);
            if (process.equals(rank.me())) {
                throw new IllegalStateException("an agreement makes process " + rank.me() + " mark itself failed");
            }
            if (!rank.failures().hasFailed(process)) {
                fresh.add(new Loss(process, evidence));
            }
        }
        losses.mark(fresh, out);
    }

    @Override
    public void fence(String why) {
        rank.fenceUnlessLeaving(why);
    }

    @Override
    public void settle(SlotSet failed, Outbox<ProcessId, ControlMessage> out) {
        if (!failed.isEmpty()) {
            fail(failed, rank.me(), out);
        }
    }

    @Override
    public Electorate electorate() {
        return electorate;
    }

    @Override
    public boolean isInForce() {
        return worlds.inForce() == this;
    }

    @Override
    public void decided(long communicator, long sequence, Decision decision, Outbox<ProcessId, ControlMessage> out) {
        if (rank.departure().decide(communicator, sequence, decision)) {
            goodbyes.send(new ControlMessage.Goodbye(communicator, sequence, decision), worlds.membership(), out);
        }
        worlds.onDecided(communicator, sequence, decision, out);
    }
}
