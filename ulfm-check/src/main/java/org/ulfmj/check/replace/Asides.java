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
 * The calls of one process besides its program, as other threads of the process would make them: calls on duplicates of
 * the worlds that it was in, also of a world that is replaced meanwhile, and revocations of any communicator that it
 * has. Finalize comes after all calls on duplicates have returned.
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

    /** The process has built the communicator of a world that it is in. */
    void worldBegins(long communicator, Membership membership) {
        registered.add(communicator);
        List<Kind> calls = world.program().besidesOf(membership.epoch());
        if (!calls.isEmpty()) {
            Aside aside = new Aside(rank, world, this, communicator, membership, calls);
            all.add(aside);
            aside.begin();
        }
    }

    /** The communicator belongs to a world that was replaced. The program does not use it any more. */
    void worldEnds(long communicator) {
        registered.remove(communicator);
    }

    void made(long communicator) {
        registered.add(communicator);
    }

    void freed(long communicator) {
        registered.remove(communicator);
    }

    /**
     * Returns the communicators that the process has made, without those that it has freed and the world communicators
     * of worlds that were replaced.
     */
    public SortedSet<Long> registered() {
        return registered;
    }

    /** Returns the communicators of which this process was told that they are revoked. */
    public SortedSet<Long> revoked() {
        return revoked;
    }

    void forgets(long communicator) {
        forgotten.add(communicator);
        forgotAnew = true;
    }

    /** Whether communicators have been forgotten since the last call of this method. */
    public boolean hasForgottenAnew() {
        boolean anew = forgotAnew;
        forgotAnew = false;
        return anew;
    }

    /** Returns the communicators of which the core has told this process that it forgets them. */
    public SortedSet<Long> forgotten() {
        return forgotten;
    }

    /** Whether all calls of the process besides its program have returned. */
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

    /** Runs an action once all calls besides the program have returned; at once if they have already. */
    void whenDone(Runnable next) {
        whenDone = next;
        goOn();
    }

    /**
     * Called when the calls on one of the duplicates may all have returned: runs the waiting action if all calls have.
     */
    void goOn() {
        if (whenDone != null && areDone()) {
            Runnable next = whenDone;
            whenDone = null;
            next.run();
        }
    }

    /**
     * Called before the next step of the program. Perhaps lets the process revoke one of its communicators a little
     * later.
     */
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

    /** Takes a decision if it belongs to a call besides the program. Returns whether it did. */
    boolean take(long communicator, long sequence, Decision decision) {
        for (Aside aside : List.copyOf(all)) {
            if (aside.take(communicator, sequence, decision)) {
                return true;
            }
        }
        return false;
    }
}
