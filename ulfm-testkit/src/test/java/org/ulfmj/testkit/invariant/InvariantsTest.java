package org.ulfmj.testkit.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Tests point-to-point and collective invariants with random programs in simulated time, on the shipped runtime; and
 * shows for each invariant a mutant of the runtime that violates it.
 */
class InvariantsTest {
    /** The number of seeds, from 1 on, with which the shipped runtime is run, and, at most, each mutant. */
    private static final long SEEDS = Long.getLong("sim.seeds", 2000);

    private static final long DRAWN_FIRST = Long.getLong("drawn.first", 1);
    private static final long DRAWN = 500;
    private static final String RUNTIME = "org.ulfmj.runtime.";

    @Test
    void shouldHoldInEveryRun() {
        assertThat(InvariantRun.search("", 1L, SEEDS)).isEmpty();
    }

    /** {@code -Ddrawn.first} sets the first seed, so that the seeds of an earlier build can be run again. */
    @Test
    void shouldHoldInRunsThatNoBuildHadBefore() {
        assertThat(InvariantRun.search("", DRAWN_FIRST, DRAWN))
                .as("-Ddrawn.first=%d", DRAWN_FIRST)
                .isEmpty();
    }

    static Stream<Arguments> mutants() {
        return Stream.of(
                mutant(NoCallBlocksOnTheDead.class, "a death ends no operation of a program")
                        .in(
                                "transfer.Traffic",
                                "endByRules(communicator);\n        matching.purge(communicator, MessageKey.COLLECTIVE, null);",
                                "matching.purge(communicator, MessageKey.COLLECTIVE, null);"),
                mutant(EveryRankEnds.class, "a revocation ends no collective operation")
                        .in("VerdictEffects", "engine.runs().failAll(communicator, ErrorClass.REVOKED);", ""),
                Arguments.of(
                        WhatIsMadeInsideIsRevokedToo.class.getSimpleName(),
                        Mutant.of(
                                        "what is made inside a recovery loop is not revoked with it",
                                        RUNTIME + "VerdictEffects",
                                        "engine.post(new EngineEvents.Orphaned(made));",
                                        "")
                                .and("onRevoked(made.id());", "")),
                mutant(
                                CompletedRequestsNeverChange.class,
                                "a receive that ended early can still be found by its pieces")
                        .in(
                                "transfer.Matching",
                                "if (receive.handshakeId != 0) {\n            forgetStream(receive);",
                                "if (receive.handshakeId != 0) {"),
                mutant(FullyReceivedIsDelivered.class, "whole messages of the dead are lost with their offers")
                        .in("transfer.UnexpectedMessages", "message.lost = message.offered;", "message.lost = true;"),
                mutant(HeldUpReceivesGoOn.class, "a failure ends what it only holds up")
                        .in(
                                "transfer.Traffic",
                                "if (verdict == ErrorClass.REVOKED || verdict == ErrorClass.PROC_FAILED) {",
                                "if (verdict != ErrorClass.SUCCESS) {"),
                mutant(WildcardsWaitForAcknowledgement.class, "wildcards are always open")
                        .in("error.FailureView", "return acknowledged >= heeded;", "return true;"),
                mutant(WildcardsWaitForAcknowledgement.class, "acknowledging does not open wildcards")
                        .in("error.FailureView", "return acknowledged >= heeded;", "return heeded == 0;"),
                mutant(StatusesDescribeTheMessage.class, "the status echoes the argument")
                        .in("transfer.Matching", "receive.source = source;", "receive.source = receive.wantedSource;"),
                mutant(NoErrorWithoutADeadMember.class, "a death breaks communicators of others")
                        .in(
                                "VerdictEffects",
                                "communicator.failures().add(rank);\n                    onMemberGone(communicator, process);\n                }",
                                "communicator.failures().add(rank);\n                }\n                onMemberGone(communicator, process);"),
                mutant(NoErrorWithoutADeadMember.class, "any death is a reason to fail")
                        .in(
                                "transfer.ErrorRules",
                                "return peer != null && peer.isGone()",
                                "return peer != null && !communicator.failures.isEmpty()"),
                mutant(MessagesArriveInOrder.class, "the newest comes first")
                        .in(
                                "message.KeyedQueues",
                                "queue.head == null ? null : queue.head.entry;",
                                "queue.head == null ? null : queue.tail.entry;"),
                mutant(ResultsThatReturnAreRight.class, "a collective operation that cannot go on returns as it is")
                        .in(
                                "collective.run.CollectiveRunner",
                                "if (run.failure() != ErrorClass.SUCCESS) {",
                                "if (run.failure() == ErrorClass.REVOKED) {"),
                mutant(PendingIsSaidOfRequestsOnly.class, "a blocking call says that it is pending")
                        .in(
                                "mpi.Exceptions",
                                "== ErrorClass.PROC_FAILED_PENDING ? ErrorClass.PROC_FAILED : fault.error();",
                                "== ErrorClass.PROC_FAILED ? ErrorClass.PROC_FAILED_PENDING : fault.error();"),
                Arguments.of(
                        CreatedByAllOrByNone.class.getSimpleName(),
                        Mutant.of(
                                        "everybody believes its own vote",
                                        RUNTIME + "AgreedRecovery",
                                        "return value;",
                                        "return flag;")
                                .and("if (decision.failureUnacknowledged()) {", "if (false) {")),
                mutant(RevokedCommunicatorsStayRevoked.class, "what needs no peer ignores revocations")
                        .in("Communicator", "if (state.isRevoked()) {", "if (false) {"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("mutants")
    @Tag("long")
    void shouldBeViolatedWhen(String invariant, Mutant mutant) {
        Object violation = new MutantLoader(mutant).call(InvariantRun.class.getName(), "search", invariant, 1L, SEEDS);
        assertThat(violation.toString()).contains(invariant);
    }

    private static Wrong mutant(Class<? extends ProgramInvariant> violated, String does) {
        return new Wrong(violated, does);
    }

    /** A mutant in the making: what it does wrong, and the invariant that it must violate. */
    private record Wrong(Class<? extends ProgramInvariant> violated, String does) {
        Arguments in(String className, String original, String replacement) {
            String fullName = className.startsWith("mpi.") ? className : RUNTIME + className;
            return Arguments.of(violated.getSimpleName(), Mutant.of(does, fullName, original, replacement));
        }
    }
}
