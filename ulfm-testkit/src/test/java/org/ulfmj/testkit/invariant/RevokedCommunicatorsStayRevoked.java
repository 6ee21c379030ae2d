package org.ulfmj.testkit.invariant;

/** Invariant: a send to PROC_NULL does not succeed on a communicator that the sender has revoked just before. */
final class RevokedCommunicatorsStayRevoked extends ProgramInvariant {
    @Override
    void onSuccessAfterRevoking(Call call) {
        violated(call + " succeeded on a revoked communicator");
    }
}
