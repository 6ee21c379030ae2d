package org.ulfmj.testkit.invariant;

import java.util.ArrayList;
import java.util.List;

/**
 * A sentence that is true of every run of every program, whichever rank dies. It is told of each thing that the program
 * sees, in the order of the run, by one thread at a time; the name of the class is the sentence.
 */
abstract class ProgramInvariant {
    private final List<String> violations = new ArrayList<>();

    /** A call is about to be made. */
    void onBegin(Call call) {}

    /** A call has returned. */
    void onReturn(Call call) {}

    /** A call has thrown. */
    void onRaise(Call call, Raised raised) {}

    /** A message was taken by a receive of the program. */
    void onReceived(Call call, Received received) {}

    /** A request of the program is over. */
    void onCompleted(CompletedRequest request) {}

    /** What was to be said of a result that a call has given is whether it is right. */
    void onResult(Call call, boolean isRight, String what) {}

    /**
     * An agreement has ended an attempt; {@code mine} is what this rank said of its attempt, {@code all} what all came
     * to.
     */
    void onAttempt(Call call, int number, boolean mine, boolean all) {}

    /** A call has succeeded on a communicator that its rank had revoked before. */
    void onSuccessAfterRevoking(Call call) {}

    /** The run is over. */
    void atEnd(Run run) {}

    final void violated(String text) {
        violations.add(getClass().getSimpleName() + ": " + text);
    }

    final List<String> violations() {
        return violations;
    }
}
