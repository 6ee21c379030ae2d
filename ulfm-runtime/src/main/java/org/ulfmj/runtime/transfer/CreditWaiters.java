package org.ulfmj.runtime.transfer;

/**
 * Short messages to one peer that were only announced since there was no credit, and that the receiver has not asked
 * for yet; the oldest first. With the next credit they are sent whole. So a receiver that takes many messages in a row
 * asks for few of them one by one. The list is linked through fields of the operations. Under the engine lock.
 */
final class CreditWaiters {
    private SendOperation first;
    private SendOperation last;

    boolean isEmpty() {
        return first == null;
    }

    SendOperation first() {
        return first;
    }

    void add(SendOperation send) {
        send.awaitsCredit = true;
        send.creditWaiterBefore = last;
        if (last == null) {
            first = send;
        } else {
            last.creditWaiterAfter = send;
        }
        last = send;
    }

    /** Removes a send. Nothing happens if it is not in the list. */
    void remove(SendOperation send) {
        if (!send.awaitsCredit) {
            return;
        }
        if (send.creditWaiterBefore == null) {
            first = send.creditWaiterAfter;
        } else {
            send.creditWaiterBefore.creditWaiterAfter = send.creditWaiterAfter;
        }
        if (send.creditWaiterAfter == null) {
            last = send.creditWaiterBefore;
        } else {
            send.creditWaiterAfter.creditWaiterBefore = send.creditWaiterBefore;
        }
        send.creditWaiterBefore = null;
        send.creditWaiterAfter = null;
        send.awaitsCredit = false;
    }
}
