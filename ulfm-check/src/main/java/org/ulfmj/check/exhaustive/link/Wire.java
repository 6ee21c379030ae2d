package org.ulfmj.check.exhaustive.link;

import java.util.ArrayDeque;
import java.util.List;
import org.ulfmj.check.link.LinkMessage;

/**
 * One TCP connection between two processes. A close with unread bytes, and bytes that come to a closed end, reset the
 * connection unless it has died in silence: the other end loses all that it has not read.
 */
final class Wire {
    /** The end at one process. */
    private static final class End {
        private final ArrayDeque<LinkMessage> unread = new ArrayDeque<>();
        private boolean hasEnded;
        private boolean isClosed;
        private boolean writesNoMore;

        void reset() {
            unread.clear();
            hasEnded = true;
        }
    }

    private final int dialer;
    /** Whether what the dialer writes is lost. */
    private final boolean isOneWay;
    /** By slot. */
    private final List<End> ends = List.of(new End(), new End());

    private boolean isAccepted;
    private boolean isSilent;

    Wire(int dialer, boolean isOneWay) {
        this.dialer = dialer;
        this.isOneWay = isOneWay;
    }

    int dialer() {
        return dialer;
    }

    boolean isAccepted() {
        return isAccepted;
    }

    void accept() {
        isAccepted = true;
        write(1 - dialer, new LinkMessage.Challenge());
    }

    /** The dialed process has ended. */
    void refuse() {
        isAccepted = true;
        close(1 - dialer);
    }

    boolean isSilent() {
        return isSilent;
    }

    /** Whether no process has an open end. */
    boolean isGone() {
        return isClosed(0) && isClosed(1);
    }

    boolean isClosed(int slot) {
        return ends.get(slot).isClosed;
    }

    /** Whether both ends can still use the connection. */
    boolean isGood() {
        return !isSilent && ends.stream().noneMatch(end -> end.isClosed || end.hasEnded);
    }

    /** Whether there is a message for the process to read. */
    boolean hasUnread(int slot) {
        return !ends.get(slot).unread.isEmpty();
    }

    LinkMessage read(int slot) {
        return ends.get(slot).unread.remove();
    }

    /** Whether the kernel of the process knows that no more messages will come. */
    boolean hasEnded(int slot) {
        return ends.get(slot).hasEnded;
    }

    void write(int slot, LinkMessage message) {
        End from = ends.get(slot);
        End to = ends.get(1 - slot);
        if (from.writesNoMore || isSilent || isOneWay && slot == dialer) {
            return;
        }
        if (to.isClosed) {
            from.reset();
        } else if (!to.hasEnded) {
            to.unread.add(message);
        }
    }

    void halfClose(int slot) {
        ends.get(slot).writesNoMore = true;
        ends.get(1 - slot).hasEnded |= !isSilent;
    }

    void close(int slot) {
        End end = ends.get(slot);
        if (end.isClosed) {
            return;
        }
        end.isClosed = true;
        halfClose(slot);
        if (hasUnread(slot) && !isSilent) {
            ends.get(1 - slot).reset();
        }
        end.unread.clear();
    }

    /** The connection dies in silence. Messages on their way still arrive, or are lost. */
    void cut(boolean isAllLost) {
        isAccepted = true;
        isSilent = true;
        if (isAllLost) {
            ends.forEach(end -> end.unread.clear());
        }
    }

    /** The kernel of a process notices that the connection is dead. */
    void notice(int slot) {
        ends.get(slot).hasEnded = true;
    }
}
