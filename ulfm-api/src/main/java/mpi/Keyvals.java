package mpi;

import java.util.HashMap;
import java.util.Map;

/** The attribute keys that the program made at one rank. Thread-safe. */
final class Keyvals {
    /**
     * The first number for a key that a program makes. Lower numbers are those of predefined keys, of communicators or
     * of windows.
     */
    private static final int FIRST = 10;

    private final Map<Integer, Keyval<?>> known = new HashMap<>();
    private int next = FIRST;

    synchronized <T> int create(String kind, AttributeCopy<T> copy, AttributeDelete<T> delete) {
        known.put(next, new Keyval<>(next, kind, copy, delete));
        return next++;
    }

    /** Returns the key that has this number, is for objects of this kind and was not freed; null if there is none. */
    synchronized Keyval<?> find(String kind, int number) {
        Keyval<?> found = known.get(number);
        return found == null || !found.kind().equals(kind) ? null : found;
    }

    /** Forgets a key; objects that have a value for it keep the value. Returns false if there is no such key. */
    synchronized boolean free(String kind, int number) {
        return find(kind, number) != null && known.remove(number) != null;
    }

    /** Makes a key for objects of a kind, with functions of the program. */
    static <T> int make(String kind, AttributeCopy<T> copy, AttributeDelete<T> delete) {
        Rank rank = entered(kind + ".createKeyval");
        if (copy == null || delete == null) {
            throw Exceptions.withoutCommunicator(
                    kind + ".createKeyval",
                    MPI.ERR_ARG,
                    (copy == null ? "copy" : "delete") + " is null; allowed: a function, or createKeyval()");
        }
        return rank.keyvals().create(kind, copy, delete);
    }

    static void release(String kind, int number) {
        Rank rank = entered(kind + ".freeKeyval");
        if (!rank.keyvals().free(kind, number)) {
            throw Exceptions.withoutCommunicator(
                    kind + ".freeKeyval", MPI.ERR_KEYVAL, "keyval is " + number + "; allowed: " + allowed(kind));
        }
    }

    static String allowed(String kind) {
        return "what " + kind + ".createKeyval returned, unless it was freed";
    }

    private static Rank entered(String call) {
        Rank rank = Ranks.current(call);
        rank.enter(call);
        return rank;
    }
}
