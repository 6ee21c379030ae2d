package org.ulfmj.runtime.error;

/** MPI's error classes, with the numbers that package {@code mpi} publishes (those of Open MPI). */
public enum ErrorClass {
    SUCCESS(0),
    BUFFER(1),
    COUNT(2),
    TYPE(3),
    TAG(4),
    COMM(5),
    RANK(6),
    REQUEST(7),
    ROOT(8),
    GROUP(9),
    OP(10),
    TOPOLOGY(11),
    DIMS(12),
    ARG(13),
    UNKNOWN(14),
    TRUNCATE(15),
    OTHER(16),
    INTERN(17),
    IN_STATUS(18),
    PENDING(19),
    INFO_KEY(31),
    INFO_NOKEY(32),
    INFO_VALUE(33),
    INFO(34),
    KEYVAL(36),
    SPAWN(50),
    UNSUPPORTED_OPERATION(52),
    PROC_ABORTED(74),
    PROC_FAILED(75),
    PROC_FAILED_PENDING(76),
    REVOKED(77);

    private final int code;

    ErrorClass(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
