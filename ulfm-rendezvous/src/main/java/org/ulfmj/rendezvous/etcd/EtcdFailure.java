package org.ulfmj.rendezvous.etcd;

import java.util.regex.Pattern;
import org.ulfmj.rendezvous.embed.RendezvousFailure;

/** A call to etcd without the answer that was wanted. The message names the endpoints, or is etcd's own. */
final class EtcdFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What etcd says of a lease that has ended, or of a key that must exist (a code of gRPC). */
    static final int NOT_FOUND = 5;

    /** What etcd says of a revision that was compacted (a code of gRPC). */
    static final int OUT_OF_RANGE = 11;

    /** A reason that no other code stands for (a code of gRPC). */
    static final int UNKNOWN = 2;

    private static final int PERMISSION_DENIED = 7;
    private static final int EXHAUSTED = 8;
    private static final int UNAUTHENTICATED = 16;

    /** In the words of etcd 3.4 and of later ones. */
    private static final Pattern OLD_TOKEN = Pattern.compile("revision (in header|of auth store) is old");

    /** No code: etcd has not answered. */
    private static final int NONE = -1;

    private final int code;
    private final boolean mayHaveRun;

    private EtcdFailure(int code, boolean mayHaveRun, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.mayHaveRun = mayHaveRun;
    }

    /** @param mayHaveRun whether etcd may have got the request */
    static EtcdFailure unanswered(boolean mayHaveRun, String message, Throwable cause) {
        return new EtcdFailure(NONE, mayHaveRun, message, cause);
    }

    /** etcd has answered, and has not done what was asked for. */
    static EtcdFailure refused(int code, boolean mayHaveRun, String message) {
        return new EtcdFailure(code, mayHaveRun, message, null);
    }

    /** The same refusal, after attempts without an answer. */
    static EtcdFailure refusedAfter(EtcdFailure refusal, boolean mayHaveRun) {
        return new EtcdFailure(refusal.code, mayHaveRun, refusal.getMessage(), refusal.getCause());
    }

    boolean isUnanswered() {
        return code == NONE;
    }

    boolean isNotFound() {
        return code == NOT_FOUND;
    }

    boolean isCompacted() {
        return code == OUT_OF_RANGE;
    }

    /**
     * Whether to log in anew. A token of a kind that etcd does not keep itself (JWT) is refused with another code once
     * users or roles have changed since it was given.
     */
    boolean isUnauthenticated() {
        return code == UNAUTHENTICATED || OLD_TOKEN.matcher(getMessage()).find();
    }

    /** Why etcd refuses, in the words of this project. */
    RendezvousFailure.Refused.Reason reason() {
        return switch (code) {
            case PERMISSION_DENIED, UNAUTHENTICATED -> RendezvousFailure.Refused.Reason.BAD_TOKEN;
            case EXHAUSTED -> RendezvousFailure.Refused.Reason.FULL;
            default -> RendezvousFailure.Refused.Reason.BAD_REQUEST;
        };
    }

    /** Whether an attempt that got no answer may have been, or may still be, carried out. */
    boolean mayHaveRun() {
        return mayHaveRun;
    }
}
