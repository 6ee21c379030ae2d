package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;

/**
 * Says which error an operation that is not done meets: one order of checks for all operations, at their start, while
 * they wait and when something fails. An operation that is done keeps its own result and never gets here.
 */
public final class ErrorRules {
    private ErrorRules() {}

    /** Returns the error that the operation meets; {@link ErrorClass#SUCCESS} means: go on, or go on waiting. */
    static ErrorClass of(Operation operation) {
        return of(
                operation.communicator,
                operation.stream != MessageKey.POINT_TO_POINT,
                operation.namedPeer(),
                operation.peer);
    }

    /** Returns the error that a collective operation meets which begins now; {@link ErrorClass#SUCCESS} if none. */
    public static ErrorClass ofCollective(MessageContext communicator) {
        return of(communicator, true, communicator.rank, null);
    }

    /**
     * Returns the error of an operation.
     *
     * @param collective whether the operation is part of a collective operation
     * @param namedRank the other side as the program named it, or {@link MessageKey#ANY_SOURCE}
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
