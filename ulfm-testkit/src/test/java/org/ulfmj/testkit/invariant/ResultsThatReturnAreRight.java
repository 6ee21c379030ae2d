package org.ulfmj.testkit.invariant;

/** Invariant: a collective operation that returns has given the right result, whichever rank dies meanwhile. */
final class ResultsThatReturnAreRight extends ProgramInvariant {
    @Override
    void onResult(Call call, boolean isRight, String what) {
        if (!isRight && call.kind == Call.Kind.COLLECTIVE) {
            violated(call + ": " + what);
        }
    }
}
