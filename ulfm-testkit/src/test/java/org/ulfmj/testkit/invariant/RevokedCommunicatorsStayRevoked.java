package org.ulfmj.testkit.invariant;

/** Invariant: on a communicator that the caller has revoked, a call other than a recovery call does not succeed. */
final class RevokedCommunicatorsStayRevoked extends ProgramInvariant {
    @Override
    void onSuccessAfterRevoking(Call call) {
        violated(call + " succeeded on a revoked communicator");
    }
}
