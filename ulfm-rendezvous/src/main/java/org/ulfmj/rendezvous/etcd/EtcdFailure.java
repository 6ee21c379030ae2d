package org.ulfmj.rendezvous.etcd;

import java.util.regex.Pattern;
import org.ulfmj.rendezvous.embed.RendezvousFailure;

/** A call to etcd got no usable answer in time, or a refusal. The message says what is known of the cause. */
final class EtcdFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The code of gRPC with which etcd answers if a lease has ended, or if a key that must exist does not. */
    static final int NOT_FOUND = 5;

    /** The code of gRPC with which etcd answers if a revision was compacted. */
    static final int OUT_OF_RANGE = 11;

    /** The code of gRPC for a reason that no other code stands for. */
    static final int UNKNOWN = 2;

    private static final int PERMISSION_DENIED = 7;
    private static final int EXHAUSTED = 8;
    private static final int UNAUTHENTICATED = 16;

    /** What etcd's refusal of an old token says: the texts of etcd 3.4 and of later versions. */
    private static final Pattern OLD_TOKEN = Pattern.compile("revision (in header|of auth store) is old");

    /** Stands for no code: etcd has not answered, or its answer does not tell what became of the request. */
    private static final int NONE = -1;

    private final int code;
    private final boolean mayHaveRun;

    private EtcdFailure(int code, boolean mayHaveRun, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.mayHaveRun = mayHaveRun;
    }

    /** @param mayHaveRun whether etcd may have got the request, and may have carried it out */
    static EtcdFailure unanswered(boolean mayHaveRun, String message, Throwable cause) {
        return new EtcdFailure(NONE, mayHaveRun, message, cause);
    }

    /** A failure by an answer which says that what was asked for is not done. */
    static EtcdFailure refused(int code, boolean mayHaveRun, String message) {
        return new EtcdFailure(code, mayHaveRun, message, null);
    }

    /** The same refusal as {@code refusal}, with what is known of attempts that got no answer. */
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
     * Whether to log in anew. A token that etcd does not keep itself (JWT) is refused with another code once users or
     * roles have changed since the token was given.
     */
    boolean isUnauthenticated() {
        return code == UNAUTHENTICATED || OLD_TOKEN.matcher(getMessage()).find();
    }

    /** Why etcd refuses, as a reason of {@link RendezvousFailure.Refused}. */
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
