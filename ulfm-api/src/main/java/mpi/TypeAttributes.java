package mpi;

import java.util.Map;
import java.util.WeakHashMap;

/**
 * The attributes of datatypes at one rank. Basic types are shared by ranks that are threads of one process, so a rank
 * keeps attributes beside the types. Thread-safe.
 */
final class TypeAttributes {
    static final String KIND = "Datatype";

    private final Map<Datatype, Attributes<Datatype>> ofTypes = new WeakHashMap<>();

    synchronized Attributes<Datatype> of(Datatype type) {
        return ofTypes.computeIfAbsent(type, unused -> new Attributes<>());
    }

    private synchronized Attributes<Datatype> ofOrNull(Datatype type) {
        return ofTypes.get(type);
    }

    private synchronized void put(Datatype type, Attributes<Datatype> attributes) {
        ofTypes.put(type, attributes);
    }

    /**
     * Returns the attributes of a type at the calling thread's rank; null if it has none, or if the thread has no rank,
     * as types can be used without one.
     */
    private static Attributes<Datatype> present(Datatype type) {
        Rank rank = Ranks.currentOrNull();
        return rank == null ? null : rank.typeAttributes().ofOrNull(type);
    }

    /**
     * Returns the attributes of a duplicate of a type, as the copy functions of their keys make them; null if the type
     * has no attributes at the calling thread's rank.
     */
    static Attributes<Datatype> copiesFor(Datatype type) {
        Attributes<Datatype> attributes = present(type);
        return attributes == null ? null : attributes.copiesFor(type);
    }

    static void give(Datatype duplicate, Attributes<Datatype> copies) {
        if (copies != null) {
            Ranks.current("Datatype.dup").typeAttributes().put(duplicate, copies);
        }
    }

    static void deleteAll(Datatype type) {
        Attributes<Datatype> attributes = present(type);
        if (attributes != null) {
            attributes.deleteAll(type);
        }
    }

    static Object get(Datatype type, int number) {
        Rank rank = enter(type, "Datatype.getAttr");
        Attributes<Datatype> attributes = rank.typeAttributes().of(type);
        if (!attributes.has(number)) {
            keyval(rank, "Datatype.getAttr", number);
        }
        return attributes.get(number);
    }

    static void set(Datatype type, int number, Object value) {
        Rank rank = enter(type, "Datatype.setAttr");
        Keyval<Datatype> keyval = keyval(rank, "Datatype.setAttr", number);
        rank.typeAttributes().of(type).set(type, keyval, value);
    }

    static void delete(Datatype type, int number) {
        Rank rank = enter(type, "Datatype.deleteAttr");
        Attributes<Datatype> attributes = rank.typeAttributes().of(type);
        if (!attributes.has(number)) {
            keyval(rank, "Datatype.deleteAttr", number);
            throw Exceptions.withoutCommunicator(
                    "Datatype.deleteAttr",
                    MPI.ERR_KEYVAL,
                    "keyval " + number + " has no value; allowed: one that was set");
        }
        attributes.delete(type, number);
    }

    private static Rank enter(Datatype type, String call) {
        Rank rank = Ranks.current(call);
        rank.enter(call);
        if (type.isNull()) {
            throw Exceptions.withoutCommunicator(
                    call,
                    MPI.ERR_TYPE,
                    type + " is null or was freed, and has no attributes; allowed: a datatype such as MPI.INT");
        }
        return rank;
    }

    @SuppressWarnings("unchecked")
    private static Keyval<Datatype> keyval(Rank rank, String call, int number) {
        Keyval<?> found = rank.keyvals().find(KIND, number);
        if (found == null) {
            throw Exceptions.withoutCommunicator(
                    call, MPI.ERR_KEYVAL, "keyval is " + number + "; allowed: " + Keyvals.allowed(KIND));
        }
        return (Keyval<Datatype>) found;
    }
}
