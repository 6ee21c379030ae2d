package org.ulfmj.check.exhaustive.link;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.check.exhaustive.link.LinkStep.Kind;

/** The two processes of a world of links and their connections, in one state. */
final class LinkPair {
    /**
     * The clock begins at a time larger than any duration, so that a fingerprint, which compares fields with the clock,
     * does not take a duration for a moment to come.
     */
    private static final long BEGINNING_NS = 1L << 50;

    private final LinkSmall world;
    private final List<Wire> wires = new ArrayList<>();
    private final List<LinkSide> sides;
    private long nowNs = BEGINNING_NS;
    private int cuts;
    private int early;

    LinkPair(LinkSmall world) {
        this.world = world;
        this.sides = List.of(new LinkSide(0, this), new LinkSide(1, this));
    }

    long nowNs() {
        return nowNs;
    }

    boolean isCalm() {
        return world.isCalm();
    }

    LinkSide side(int slot) {
        return sides.get(slot);
    }

    Wire dial(int slot) {
        Wire wire = new Wire(slot, slot == 0 && world.has(LinkTrait.ONE_WAY));
        wires.add(wire);
        return wire;
    }

    /** Returns all steps that may happen next; an empty list if the schedule has ended. */
    List<LinkStep> steps() {
        List<LinkStep> steps = new ArrayList<>();
        for (int wire = 0; wire < wires.size(); wire++) {
            addSteps(wire, steps);
        }
        for (LinkSide side : sides) {
            if (side.session().canWrite()) {
                steps.add(new LinkStep(Kind.WRITES, side.slot(), -1));
            }
        }
        for (LinkSide side : sides) {
            if (world.has(LinkTrait.SLOW) && side.session().owesAck()) {
                steps.add(new LinkStep(Kind.ACKNOWLEDGES, side.slot(), -1));
            }
            if (world.has(LinkTrait.TOLD)
                    && !side.hasDeparted()
                    && !side.hasEnded()
                    && side(1 - side.slot()).hasEnded()) {
                steps.add(new LinkStep(Kind.HEARS, side.slot(), -1));
            }
            if (!side.hasEnded() && side.session().hasLeft()) {
                steps.add(new LinkStep(Kind.ENDS, side.slot(), -1));
            }
        }
        boolean isBusy = !steps.isEmpty();
        for (LinkSide side : sides) {
            addProgram(side, steps);
        }
        if (world.has(LinkTrait.ONE_WAY)) {
            // With ONE_WAY, the lower slot's dials come to nothing, as what it writes on them is lost; there is a
            // connection only once the higher slot offers a frame and so dials itself. If timers could fire before that
            // offer, the lower slot could dial again for ever. So in this world no timer fires while the program of
            // either process still has a step to take.
            isBusy = !steps.isEmpty();
        }
        addTimers(isBusy, steps);
        if (!steps.isEmpty()) {
            addFaults(steps);
        }
        return steps;
    }

    private void addSteps(int index, List<LinkStep> steps) {
        Wire wire = wires.get(index);
        if (!wire.isAccepted()) {
            steps.add(new LinkStep(Kind.ACCEPTS, 1 - wire.dialer(), index));
            return;
        }
        for (int slot = 0; slot < 2; slot++) {
            if (wire.isClosed(slot)) {
                continue;
            }
            if (wire.hasUnread(slot)) {
                steps.add(new LinkStep(Kind.READS, slot, index));
            } else if (wire.hasEnded(slot)) {
                steps.add(new LinkStep(Kind.SEES_THE_END, slot, index));
            }
        }
    }

    private void addProgram(LinkSide side, List<LinkStep> steps) {
        int slot = side.slot();
        if (side.isLeaving()) {
            return;
        }
        if (!hasOfferedAll(slot)) {
            if (!world.has(LinkTrait.IN_TURN) || side.delivered() >= side.offered() + slot) {
                steps.add(new LinkStep(Kind.OFFERS, slot, -1));
            }
        } else if (world.has(LinkTrait.LEAVES)
                && hasOfferedAll(1 - slot)
                && (side.hasMet() || world.has(LinkTrait.TOLD))) {
            // Finalize ends only after all have called it. A process knows that the other has called it by a launcher,
            // or else only if they have had a connection.
            steps.add(new LinkStep(Kind.LEAVES, slot, -1));
        }
        if (slot < world.marks() && !side.hasMarked()) {
            steps.add(new LinkStep(Kind.MARKS, slot, -1));
        }
    }

    private boolean hasOfferedAll(int slot) {
        return side(slot).offered() >= world.frames(slot)
                || side(slot).session().isClosedToFrames();
    }

    private void addTimers(boolean isBusy, List<LinkStep> steps) {
        long low = side(0).session().nextDeadlineNs();
        long high = side(1).session().nextDeadlineNs();
        for (LinkSide side : sides) {
            long deadlineNs = side.session().nextDeadlineNs();
            boolean isNext = isBusy ? early < world.early() : deadlineNs == Math.min(low, high);
            if (deadlineNs != Long.MAX_VALUE && (isNext || mayDialMeanwhile(side))) {
                steps.add(new LinkStep(Kind.TIMER, side.slot(), -1));
            }
        }
    }

    /** Whether the pause before the next dial of the process may end before other steps happen. */
    private boolean mayDialMeanwhile(LinkSide side) {
        return world.has(LinkTrait.SLOW) && side.session().wantsToDial();
    }

    private void addFaults(List<LinkStep> steps) {
        for (int index = 0; index < wires.size(); index++) {
            Wire wire = wires.get(index);
            if (!wire.isSilent() && cuts < world.cuts()) {
                steps.add(new LinkStep(Kind.CUT, wire.dialer(), index));
                steps.add(new LinkStep(Kind.CUT_AND_LOST, wire.dialer(), index));
            }
            for (int slot = 0; slot < 2 && wire.isSilent(); slot++) {
                if (!wire.isClosed(slot) && !wire.hasEnded(slot)) {
                    steps.add(new LinkStep(Kind.NOTICES, slot, index));
                }
            }
        }
    }

    void take(LinkStep step) {
        LinkSide side = side(step.slot());
        Wire wire = step.wire() < 0 ? null : wires.get(step.wire());
        switch (step.kind()) {
            case ACCEPTS -> {
                if (side.hasEnded()) {
                    wire.refuse();
                } else {
                    wire.accept();
                }
            }
            case READS -> side.read(wire);
            case SEES_THE_END -> side.session().onEnd(wire, nowNs);
            case WRITES -> side.write();
            case ACKNOWLEDGES -> side.session().flushAckIfDue(Long.MAX_VALUE);
            case HEARS -> side.depart();
            case ENDS -> {
                side.end();
                wires.stream()
                        .filter(each -> each.isAccepted() || each.dialer() == side.slot())
                        .forEach(each -> each.close(side.slot()));
            }
            case OFFERS -> side.offer();
            case MARKS -> side.mark();
            case LEAVES -> side.leave();
            case CUT, CUT_AND_LOST -> {
                cuts++;
                wire.cut(step.kind() == Kind.CUT_AND_LOST);
            }
            case NOTICES -> wire.notice(side.slot());
            default -> fireTimer(side);
        }
        wires.removeIf(Wire::isGone);
    }

    private void fireTimer(LinkSide side) {
        if (!mayDialMeanwhile(side) && steps().stream().anyMatch(LinkStep::isCertain)) {
            early++;
        }
        nowNs = Math.max(nowNs, side.session().nextDeadlineNs());
        side.session().onTick(nowNs);
    }

    /**
     * Checks both processes in a state that has no next step, as {@link LinkSide#requireRest} does for one. Throws a
     * violation if something is missing.
     */
    void requireRest() {
        for (LinkSide side : sides) {
            side.requireRest();
        }
    }
}
