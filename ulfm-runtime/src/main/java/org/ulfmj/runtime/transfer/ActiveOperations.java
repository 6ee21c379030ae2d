package org.ulfmj.runtime.transfer;

/**
 * The operations of one communicator that were started and are not done. A failure or a revocation goes through all of
 * them.
 */
final class ActiveOperations {
    private Operation first;

    boolean isEmpty() {
        return first == null;
    }

    void add(Operation operation) {
        operation.isActive = true;
        operation.nextActive = first;
        if (first != null) {
            first.previousActive = operation;
        }
        first = operation;
    }

    void remove(Operation operation) {
        if (!operation.isActive) {
            return;
        }
        if (operation.previousActive == null) {
            first = operation.nextActive;
        } else {
            operation.previousActive.nextActive = operation.nextActive;
        }
        if (operation.nextActive != null) {
            operation.nextActive.previousActive = operation.previousActive;
        }
        operation.previousActive = null;
        operation.nextActive = null;
        operation.isActive = false;
    }

    Operation first() {
        return first;
    }
}
