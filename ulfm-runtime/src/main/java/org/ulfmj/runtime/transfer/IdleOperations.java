package org.ulfmj.runtime.transfer;

/**
 * Objects of operations that are over, for use by later ones: a stack of bounded size. Under the engine lock.
 *
 * @param <T> the kind of operations
 */
final class IdleOperations<T extends Operation> {
    /** How many objects are kept, at the most. */
    private static final int KEPT = 1024;

    private Operation first;
    private int count;

    /** Returns the object that was added last, or null. */
    @SuppressWarnings("unchecked") // Only such objects are added.
    T take() {
        Operation taken = first;
        if (taken == null) {
            return null;
        }
        first = taken.nextIdle;
        count--;
        taken.isIdle = false;
        return (T) taken;
    }

    /** Keeps an object, unless there are enough. */
    void add(T operation) {
        operation.isIdle = true;
        if (count < KEPT) {
            operation.nextIdle = first;
            first = operation;
            count++;
        }
    }
}
