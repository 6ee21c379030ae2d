package org.ulfmj.check.replace;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;

/**
 * What one process does beside its program, as other threads of it would: calls on duplicates of the worlds that it was
 * in, also of one that is replaced meanwhile, and revocations of any communicator that it has. Finalize comes behind
 * all of it.
 */
public final class Asides {
    private final ReplaceRank rank;
    private final ReplaceWorld world;
    private final List<Aside> all = new ArrayList<>();
    private final SortedSet<Long> registered = new TreeSet<>();
    private final SortedSet<Long> revoked = new TreeSet<>();
    private final SortedSet<Long> forgotten = new TreeSet<>();
    private Runnable whenDone;
    private boolean forgotAnew;

    Asides(ReplaceRank rank, ReplaceWorld world) {
        this.rank = rank;
        this.world = world;
    }

    /** The communicator of a new world exists here. */
    void worldBegins(long communicator, Membership membership) {
        registered.add(communicator);
        List<Kind> calls = world.program().besidesOf(membership.epoch());
        if (!calls.isEmpty()) {
            Aside aside = new Aside(rank, world, this, communicator, membership, calls);
            all.add(aside);
            aside.begin();
        }
    }

    /** The communicator of a world that was replaced: the program has none of it any more. */
    void worldEnds(long communicator) {
        registered.remove(communicator);
    }

    void made(long communicator) {
        registered.add(communicator);
    }

    void freed(long communicator) {
        registered.remove(communicator);
    }

    /** Communicators that exist here and are in use. */
    public SortedSet<Long> registered() {
        return registered;
    }

    /** The communicators that this process knows to be revoked. */
    public SortedSet<Long> revoked() {
        return revoked;
    }

    void forgets(long communicator) {
        forgotten.add(communicator);
        forgotAnew = true;
    }

    /** Whether there are more of them than when this was asked before. */
    public boolean hasForgottenAnew() {
        boolean anew = forgotAnew;
        forgotAnew = false;
        return anew;
    }

    /** The communicators that no process keeps, as this process knows. */
    public SortedSet<Long> forgotten() {
        return forgotten;
    }

    /** Whether all its calls beside the program have returned. */
    boolean areDone() {
        return all.stream().allMatch(Aside::isDone);
    }

    String waitsFor() {
        return all.stream()
                .filter(aside -> !aside.isDone())
                .map(Aside::toString)
                .findFirst()
                .orElse("nothing");
    }

    /** Runs this once all calls beside the program have returned, perhaps at once. */
    void whenDone(Runnable next) {
        whenDone = next;
        goOn();
    }

    /** One of them may be over. */
    void goOn() {
        if (whenDone != null && areDone()) {
            Runnable next = whenDone;
            whenDone = null;
            next.run();
        }
    }

    /** The program makes its next step: perhaps it revokes something a little later. */
    void drawRevocation() {
        if (!rank.draws().chance(world.program().revokePercent()) || registered.isEmpty()) {
            return;
        }
        long target = registered.stream()
                .skip(rank.draws().below(registered.size()))
                .findFirst()
                .orElseThrow();
        long laterNs = rank.draws().between(0, 20 * world.pace().unitNs());
        rank.simulation()
                .at(
                        rank.simulation().nowNs() + laterNs,
                        () -> rank.input(
                                "revokes", Long.toHexString(target), (nowNs, out) -> revoke(target, nowNs, out)));
    }

    private void revoke(long target, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (registered.contains(target)) {
            rank.simulation().cover(ReplaceEvents.REVOKED);
            rank.core().revoke(target, nowNs, out);
        }
    }

    /** Whether the decision was for one of these calls. */
    boolean take(long communicator, long sequence, Decision decision) {
        for (Aside aside : List.copyOf(all)) {
            if (aside.take(communicator, sequence, decision)) {
                return true;
            }
        }
        return false;
    }
}
