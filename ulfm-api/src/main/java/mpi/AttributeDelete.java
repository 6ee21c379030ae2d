package mpi;

/**
 * What is to be done when an object loses an attribute (MPI 3.1 section 6.7.2): by {@code deleteAttr}, by a new value,
 * by {@code free}, for {@link MPI#COMM_SELF} by {@link MPI#Finalize}. Also called, with the object that was to be
 * duplicated, for the values that {@link AttributeCopy} functions made for a duplicate that could not be made, until
 * one of these calls throws. Called on the thread that makes the call; the function may call MPI.
 *
 * @param <T> {@link Comm} or {@link Datatype}
 */
@FunctionalInterface
public interface AttributeDelete<T> {
    /**
     * Takes note that the object loses the value. An exception ends the call, which throws that exception: the object
     * keeps this value, and is not freed. For a duplicate that could not be made, the exception is only added, as a
     * suppressed one, to the exception that says why, or to the cause of that exception.
     *
     * @param object that has the value
     * @param keyval the key, as {@code createKeyval} returned it
     * @param value of the object
     */
    void delete(T object, int keyval, Object value);
}
