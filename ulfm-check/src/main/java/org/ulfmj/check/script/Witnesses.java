package org.ulfmj.check.script;

import java.lang.reflect.InvocationTargetException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.AgreementValue;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.ControlMessage.Down;
import org.ulfmj.agree.message.ControlMessage.NextRound;
import org.ulfmj.agree.message.ControlMessage.ResultRequest;
import org.ulfmj.agree.message.ControlMessage.Up;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.Violation;

/**
 * Schedules for the rules of the protocols, nearly all of them the smallest known that go wrong without a certain rule.
 * Run on the shipped classes they must go well, and on the classes of the mutant without the rule they must fail.
 */
public final class Witnesses {
    private Witnesses() {}

    /**
     * Runs the witness of this name. Returns an empty text if it went well, else what went wrong. Also called by
     * reflection on the classes of a mutant.
     */
    public static String run(String name) {
        try {
            Witnesses.class.getMethod(name).invoke(null);
            return "";
        } catch (InvocationTargetException e) {
            return e.getCause().toString();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Shows why rule R0 is needed: the decision of a dead root reaches a rank after another rank has decided without
     * the root.
     */
    public static void ghostDecision() {
        ScriptedWorld world = decidedByARootThatDies();
        world.learns(1, 0).learns(2, 0);
        world.deliver(Up.class, 2, 1);
        world.deliver(Down.class, 0, 2);
        world.settle();
    }

    /**
     * Shows why rule R4b is needed: a rank that is asked for the result gives its value to another rank and then gets
     * the decision. Without the rule it has forgotten which rank asked.
     */
    public static void forgottenRequest() {
        ScriptedWorld world = decidedByARootThatDies();
        world.learns(1, 0);
        world.deliver(ResultRequest.class, 1, 2);
        world.deliver(Down.class, 0, 2);
        world.settle();
    }

    /**
     * Shows why the takeover of R7 is needed: one rank has the dead root's decision, and does not send it to the next
     * root unless that root asks.
     */
    public static void decisionOfTheDeadRoot() {
        ScriptedWorld world = decidedByARootThatDies();
        world.deliver(Down.class, 0, 2);
        world.loseAllOf(0);
        world.learns(1, 0);
        world.settle();
    }

    private static ScriptedWorld decidedByARootThatDies() {
        return new ScriptedWorld(3)
                .enter(Kind.AGREE, 0, 1, 2)
                .deliver(Up.class, 1, 0)
                .deliver(Up.class, 2, 0)
                .crash(0);
    }

    /**
     * Shows why rule R4c was needed before there was R9: a rank that waits for its parent drops the value of a rank
     * that later becomes its child.
     */
    public static void valueDroppedByAWaitingRank() {
        new ScriptedWorld(3)
                .enter(Kind.AGREE, 0, 1, 2)
                .crash(0)
                .learns(2, 0)
                .deliver(Up.class, 2, 1)
                .learns(1, 0)
                .settle();
    }

    /**
     * Shows why the second half of R6 was needed before there was R9: a rank has changed over from its dead parent to
     * its grandparent, and then the dead parent's message with the rank's value arrives at the grandparent too.
     */
    public static void forgottenContributor() {
        new ScriptedWorld(4)
                .enter(Kind.AGREE, 0, 1, 2, 3)
                .deliver(Up.class, 2, 0)
                .deliver(Up.class, 3, 1)
                .crash(1)
                .learns(3, 1)
                .deliver(Up.class, 3, 0)
                .deliver(Up.class, 1, 0)
                .settle();
    }

    /**
     * Shows why rule R3a2 was needed before there was R9: a root is about to decide a value that lists the root itself
     * as failed, and the rank that listed it dies.
     */
    public static void rootListsItself() {
        new ScriptedWorld(3)
                .enter(Kind.AGREE, 0, 2)
                .deliver(Up.class, 2, 0)
                .suspects(2, 0)
                .deliver(Up.class, 2, 1)
                .enter(Kind.AGREE, 1)
                .crash(2)
                .loseAllOf(2)
                .deliver(Up.class, 1, 0)
                .settle();
    }

    /**
     * Shows why rule R3a2 is needed: the value that a root gets lists the root itself as failed. The value is forged,
     * as of a rank that ignores failures that it is told of.
     */
    public static void forgedValueListsItsReceiver() {
        ScriptedWorld world = new ScriptedWorld(3).enter(Kind.AGREE, 0, 2).deliver(Up.class, 2, 0);
        AgreementValue listed = new AgreementValue(
                AgreementValue.NEUTRAL.kinds(),
                AgreementValue.NEUTRAL.flags(),
                SlotSet.of(0),
                SlotSet.ALL,
                0,
                Long.MAX_VALUE);
        world.forge(1, 0, new Up(ScriptedWorld.COMMUNICATOR, 1, 0, 0, listed, SlotSet.EMPTY));
        if (!world.isFenced(0)) {
            throw new Violation("process 0 goes on, although it was told that it is listed as failed");
        }
    }

    /**
     * Shows why rule R5 is needed: a rank gets a forged decision that lists the rank itself as failed, and must fence
     * itself.
     */
    public static void forgedDecisionListsItsReceiver() {
        ScriptedWorld world = new ScriptedWorld(3).enter(Kind.AGREE, 0, 1, 2);
        world.forge(1, 2, forgedDecision(SlotSet.of(2)));
        requireFenced(world, 2);
    }

    /**
     * Shows why rule R5 is needed: a rank gets a forged decision of an agreement that the rank has not entered, and
     * must fence itself.
     */
    public static void forgedDecisionBeforeTheCall() {
        ScriptedWorld world = new ScriptedWorld(3).enter(Kind.AGREE, 0, 1);
        world.forge(1, 2, forgedDecision(SlotSet.EMPTY));
        requireFenced(world, 2);
    }

    private static Down forgedDecision(SlotSet failed) {
        SortedMap<Kind, Integer> one = new TreeMap<>();
        one.put(Kind.AGREE, 0);
        return new Down(ScriptedWorld.COMMUNICATOR, 1, new Decision(one, one, false, failed, Long.MAX_VALUE, 0));
    }

    private static void requireFenced(ScriptedWorld world, int slot) {
        if (!world.isFenced(slot)) {
            throw new Violation("process " + slot + " goes on, although others have decided without it");
        }
    }

    /**
     * Shows why a revocation is told again to new neighbours: all neighbours of the rank that revokes die together with
     * the news, and the only other living rank becomes its neighbour only after that.
     */
    public static void revocationBehindTheDead() {
        ScriptedWorld world = new ScriptedWorld(6).revoke(0).crash(1, 2, 4, 5);
        world.quiesce();
        world.requireRevoked(3, ScriptedWorld.COMMUNICATOR);
    }

    /**
     * Rule S4: one rank fails to build a communicator that the other rank has, so the other rank must be told that it
     * is revoked.
     */
    public static void creationThatFails() {
        ScriptedWorld world = new ScriptedWorld(2).register(1, 0x5d).abort(0, 0x5d);
        world.quiesce();
        world.requireRevoked(1, 0x5d);
    }

    /**
     * Shows why the re-poll of R7 is needed: the new root asks a rank for the decision, and that rank dies. Its child
     * has decided, and must be asked then.
     */
    public static void inheritedFromOneThatWasAsked() {
        new ScriptedWorld(6)
                .enter(Kind.AGREE, 0, 1, 2, 3, 4, 5)
                .deliver(Up.class, 3, 1)
                .deliver(Up.class, 4, 1)
                .deliver(Up.class, 1, 0)
                .deliver(Up.class, 5, 2)
                .deliver(Up.class, 2, 0)
                .deliver(Down.class, 0, 2)
                .deliver(Down.class, 2, 5)
                .crash(0)
                .loseAllOf(0)
                .learns(1, 0)
                .crash(2)
                .loseAllOf(2)
                .learns(1, 2)
                .settle();
    }

    /**
     * Shows why rule R9 is needed: without it two ranks that were never suspected hold different decisions, after rank
     * 0 is suspected falsely and rank 1 dies.
     */
    public static void decidedWithOneThatStillObeyedTheExcluded() {
        ScriptedWorld world = new ScriptedWorld(4)
                .enter(Kind.AGREE, 0, 1, 2, 3)
                .deliver(Up.class, 2, 0)
                .suspects(1, 0)
                .deliver(Up.class, 3, 1)
                .deliver(ControlMessage.Detector.class, 1, 2)
                .deliver(Up.class, 2, 1);
        if (world.decision(1, 1) == null) {
            // The shipped classes have not decided, but begun a new round. It is run to its end.
            world.settle();
            return;
        }
        world.deliver(Down.class, 1, 2)
                .crash(1)
                .loseAllOf(1)
                .learns(0, 1)
                .learns(3, 1)
                .deliver(Up.class, 3, 0)
                .deliver(Down.class, 0, 3)
                .settle();
    }

    /**
     * Shows why the assignment {@code asked = to} of R9 is needed. Ranks 0, 1, 3 and 7 are a chain in the tree, and the
     * others are known to be dead. A new root begins a new round with a rank that has decided and then dies. The child
     * of that rank, which has decided too, must be asked.
     */
    public static void newRoundWithOneThatDies() {
        ScriptedWorld world = new ScriptedWorld(8).crash(2, 4, 5, 6);
        for (int slot : new int[] {0, 1, 3, 7}) {
            world.learns(slot, 2).learns(slot, 4).learns(slot, 5).learns(slot, 6);
        }
        world.enter(Kind.AGREE, 0, 1, 3, 7)
                .deliver(Up.class, 7, 3)
                .deliver(Up.class, 3, 1)
                .deliver(Up.class, 1, 0)
                .suspects(3, 1)
                .deliver(Up.class, 3, 0)
                .deliver(Down.class, 0, 3)
                .deliver(Down.class, 3, 7)
                .crash(0)
                .loseAllOf(0)
                .learns(1, 0)
                .crash(3)
                .loseAllOf(3)
                .learns(1, 3)
                .settle();
    }

    /**
     * Shows why in R8 only blocking kinds of calls change the tree: two non-blocking calls overlap, and one rank has
     * completed the first before it makes the second.
     */
    public static void baseOfOverlappingCalls() {
        new ScriptedWorld(4)
                .crash(2)
                .learns(0, 2)
                .learns(1, 2)
                .learns(3, 2)
                .enter(Kind.IAGREE, 0, 0, 1, 3)
                .deliver(Up.class, 3, 1)
                .deliver(Up.class, 1, 0)
                .deliver(Down.class, 0, 1)
                .enter(Kind.IAGREE, 1)
                .enter(Kind.IAGREE, 3)
                .settle();
    }

    /**
     * Runs a schedule in which the shipped classes begin a second round ({@link NextRound}): the living processes
     * contribute again, and one decision follows.
     */
    public static void secondRound() {
        new ScriptedWorld(4)
                .enter(Kind.AGREE, 0, 1, 2, 3)
                .deliver(Up.class, 3, 1)
                .deliver(Up.class, 1, 0)
                .crash(3)
                .learns(0, 3)
                .deliver(Up.class, 2, 0)
                .deliver(NextRound.class, 0, 1)
                .settle();
    }
}
