package org.ulfmj.testkit.invariant;

/** Nothing but recovery succeeds on a communicator that the caller has revoked. */
final class RevokedCommunicatorsStayRevoked extends ProgramInvariant {
    @Override
    void onSuccessAfterRevoking(Call call) {
        violated(call + " succeeded on a revoked communicator");
    }
}
