package org.ulfmj.testkit.invariant;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement that must hold in every run of every program, whichever rank dies; the name of the class is the
 * statement. Its methods are called for each event that the program sees, in the order of the run, by one thread at a
 * time.
 */
abstract class ProgramInvariant {
    private final List<String> violations = new ArrayList<>();

    /** A call is about to be made. */
    void onBegin(Call call) {}

    /** A call has returned. */
    void onReturn(Call call) {}

    /** A call has thrown. */
    void onRaise(Call call, Raised raised) {}

    /** A receive of the program has returned a message. */
    void onReceived(Call call, Received received) {}

    /** A request of the program is over. */
    void onCompleted(CompletedRequest request) {}

    /** The program has compared a call's result with the expected one; {@code what} describes a wrong result. */
    void onResult(Call call, boolean isRight, String what) {}

    /**
     * An attempt has ended with an agreement: {@code mine} tells whether this rank succeeded in the attempt,
     * {@code all} is the outcome of the agreement.
     */
    void onAttempt(Call call, int number, boolean mine, boolean all) {}

    /** A call has succeeded on a communicator that the calling rank had revoked before. */
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
