package mpi;

import org.ulfmj.runtime.error.ErrorClass;

/** The calls on attributes of communicators. They check the key, and know the values of the predefined keys. */
final class CommAttributes {
    static final String KIND = "Comm";

    private CommAttributes() {}

    static Object get(CommState state, int number) {
        if (isPredefined(number)) {
            return state.hasPredefined() ? predefined(state, number) : null;
        }
        Attributes<Comm> attributes = state.attributesOrNull();
        if (attributes != null && attributes.has(number)) {
            return attributes.get(number);
        }
        keyval(state, "getAttr", number);
        return null;
    }

    static void set(Comm comm, CommState state, int number, Object value) {
        state.attributes().set(comm, keyval(state, "setAttr", number), value);
    }

    static void delete(Comm comm, CommState state, int number) {
        Attributes<Comm> attributes = state.attributesOrNull();
        if (attributes == null || !attributes.has(number)) {
            keyval(state, "deleteAttr", number);
            throw state.bad(
                    ErrorClass.KEYVAL, "deleteAttr", "keyval " + number + " has no value; allowed: one that was set");
        }
        attributes.delete(comm, number);
    }

    static void deleteAll(Comm comm, CommState state) {
        Attributes<Comm> attributes = state.attributesOrNull();
        if (attributes != null) {
            attributes.deleteAll(comm);
        }
    }

    private static boolean isPredefined(int number) {
        return number >= MPI.TAG_UB && number <= MPI.UNIVERSE_SIZE;
    }

    private static Object predefined(CommState state, int number) {
        return switch (number) {
            case MPI.TAG_UB -> Integer.MAX_VALUE;
            case MPI.HOST -> MPI.PROC_NULL;
            case MPI.IO -> MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL -> false;
            case MPI.APPNUM -> 0;
            case MPI.LASTUSEDCODE -> MPI.ERR_LASTCODE;
            default -> state.rank().world().communicator().size();
        };
    }

    /** Returns the key for communicators that has a number; throws if there is none, or it is predefined. */
    @SuppressWarnings("unchecked")
    private static Keyval<Comm> keyval(CommState state, String call, int number) {
        Keyval<?> found = state.rank().keyvals().find(KIND, number);
        if (found == null) {
            throw state.bad(
                    ErrorClass.KEYVAL,
                    call,
                    "keyval is " + number + (isPredefined(number) ? ", which is predefined" : "") + "; allowed: "
                            + Keyvals.allowed(KIND));
        }
        return (Keyval<Comm>) found;
    }
}
