package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;

/**
 * Decides which error an operation that is not done meets. The order of checks is the same for all operations: when
 * they start, while they wait and when something fails. An operation that is done keeps its own result and is not
 * checked here.
 */
public final class ErrorRules {
    private ErrorRules() {}

    /**
     * Returns the error that the operation meets; {@link ErrorClass#SUCCESS} means that it goes on, or goes on waiting.
     */
    static ErrorClass of(Operation operation) {
        return of(
                operation.communicator,
                operation.stream != MessageKey.POINT_TO_POINT,
                operation.namedPeer(),
                operation.peer);
    }

    /** Returns the error that a collective operation meets if it begins now; {@link ErrorClass#SUCCESS} if none. */
    public static ErrorClass ofCollective(MessageContext communicator) {
        return of(communicator, true, communicator.rank, null);
    }

    /**
     * Returns the error that an operation meets; {@link ErrorClass#SUCCESS} if none.
     *
     * @param collective whether the operation is part of a collective operation
     * @param namedRank the member number of the other side, or {@link MessageKey#ANY_SOURCE} if the program named none
     * @param peer the other side as far as it is known, else null
     */
    static ErrorClass of(MessageContext communicator, boolean collective, int namedRank, Peer peer) {
        if (communicator.revoked) {
            return ErrorClass.REVOKED;
        }
        if (collective && communicator.collectivesBroken) {
            return ErrorClass.PROC_FAILED;
        }
        if (namedRank == communicator.rank) {
            return ErrorClass.SUCCESS;
        }
        if (peer == null && namedRank == MessageKey.ANY_SOURCE) {
            return communicator.failures.wildcardsOpen() ? ErrorClass.SUCCESS : ErrorClass.PROC_FAILED_PENDING;
        }
        return peer != null && peer.isGone() ? ErrorClass.PROC_FAILED : ErrorClass.SUCCESS;
    }
}
