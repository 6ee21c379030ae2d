package org.ulfmj.rendezvous;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * Tells a listener what happened between two states of a core, for a launcher that has the office again after another
 * process had it. It tells facts and not their order. Except in {@code onBegun}, {@code onCommitted} and
 * {@code onNamed}, a process has the name that it keeps for good, because the listener may never have heard of another
 * name. Not thread-safe; part of the core.
 */
final class Meanwhile {
    /** One of the two states. */
    record View(RendezvousCore.Phase phase, int round, int epoch, Roster roster, Spares spares, Refusals refusals) {
        boolean runs() {
            return phase == RendezvousCore.Phase.FINAL;
        }
    }

    private final View before;
    private final View now;

    Meanwhile(View before, View now) {
        this.before = before;
        this.now = now;
    }

    void tell(ServerListener listener) {
        boolean isGone = before.runs() && !(now.runs() && now.round() == before.round()) && !isClosed(now);
        if (isGone) {
            listener.onWorldGone();
        }
        for (Seat seat : now.roster().all()) {
            tellOfJoin(seat, isGone, listener);
        }
        for (Integer spare : now.spares().ready()) {
            if (!before.spares().ready().contains(spare)) {
                listener.onSpare(spare);
            }
        }
        tellOfWorld(listener);
        for (Seat seat : now.roster().all()) {
            Seat former = before.roster().of(seat.nonce());
            tellOfOne(seat, former == null ? new Seat(seat.member) : former, listener);
        }
        tellOfEnd(listener);
    }

    private void tellOfJoin(Seat seat, boolean isGone, ServerListener listener) {
        boolean isNew = before.roster().of(seat.nonce()) == null;
        if (isNew && seat.joiner != null) {
            listener.onArrived(seat.joiner);
        }
        boolean doesWait = now.runs() && !now.roster().holds(seat);
        if (isNew && doesWait) {
            listener.onPending(seat.lastingName());
        } else if (isNew || isGone && seat.isHere()) {
            listener.onJoined(seat.lastingName());
        }
    }

    private void tellOfWorld(ServerListener listener) {
        if (!now.runs()) {
            return;
        }
        boolean isNew = !before.runs() || before.round() != now.round();
        if (isNew) {
            for (Seat seat : now.roster().holders()) {
                if (seat.joiner != null) {
                    listener.onBegun(now.roster().members());
                    break;
                }
            }
            listener.onFinal();
        }
        if (now.epoch() > (isNew ? 0 : before.epoch())) {
            for (Seat seat : now.roster().holders()) {
                if (seat.running) {
                    listener.onCommitted(seat.id(), now.epoch(), now.roster().members());
                    break;
                }
            }
        }
    }

    private void tellOfOne(Seat seat, Seat former, ServerListener listener) {
        if (seat.joiner != null
                && !seat.id().equals(seat.lastingName())
                && !now.roster().holds(seat)) {
            // The process may be reported as silent later, or others may complain of it, by the name that it had in an
            // earlier epoch.
            listener.onNamed(seat.member);
        }
        for (Integer rule : seat.reached) {
            if (!former.reached.contains(rule)) {
                listener.onReached(seat.lastingName(), rule);
            }
        }
        if (seat.saidGoodbye && !former.saidGoodbye) {
            listener.onGoodbye(seat.lastingName(), seat.heldForFailed);
        }
        if (seat.hasLeft && !former.hasLeft) {
            listener.onLeave(seat.lastingName(), "while another process had the office");
        }
        if (seat.ended) {
            return;
        }
        if (seat.excluded && !former.excluded) {
            listener.onExcluded(seat.lastingName());
        } else if (now.runs() && seat.out != null && former.out == null && !seat.excluded && !seat.hasLeft) {
            listener.onLeftOut(seat.lastingName());
        }
        if (seat.fence != null && former.fence == null) {
            listener.onFenced(seat.lastingName(), seat.fence);
        }
        if (seat.isGivenUp && !former.isGivenUp) {
            listener.onGivenUp(seat.lastingName(), "was given up while another process had the office");
        }
    }

    private void tellOfEnd(ServerListener listener) {
        RendezvousMessage.Abort abort = now.refusals().aborted();
        if (abort != null && !before.refusals().isAborted()) {
            listener.onAbort(firstMember(), abort.code(), abort.reason());
        } else if (abort == null && isClosed(now) && !isClosed(before)) {
            listener.onClosed(
                    now.refusals().closed().reason(), now.refusals().closed().text());
        }
    }

    /**
     * The process that stands for the one that asked for the abort, which is not stored: the holder of the lowest slot,
     * else the first process that has joined, in the order of names, else process 0.
     */
    private ProcessId firstMember() {
        for (Seat seat : now.roster().holders()) {
            return seat.lastingName();
        }
        for (Seat seat : now.roster().all()) {
            return seat.lastingName();
        }
        return ProcessId.of(0);
    }

    private static boolean isClosed(View view) {
        return view.phase() == RendezvousCore.Phase.CLOSED;
    }
}
