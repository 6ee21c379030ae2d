package org.ulfmj.check.link;

import java.util.ArrayDeque;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * One TCP connection with the kernels of both ends. A message arrives in order after some time, and then stays unread
 * for some time. A close with unread bytes, and bytes that arrive at a closed end, reset the other end. A reset
 * destroys a random part, from the end, of the messages that have arrived at the end that is reset and are unread
 * there. A cut connection swallows all messages.
 */
final class Connection {
    /** One of the two ends of the connection. */
    final class End {
        private final LinkHost owner;
        private final ArrayDeque<LinkMessage> unread = new ArrayDeque<>();
        private boolean closed;
        private boolean writesNoMore;
        private boolean isReset;
        private boolean resetTold;
        private long lastArrivalNs;

        End(LinkHost owner) {
            this.owner = owner;
        }

        LinkHost owner() {
            return owner;
        }

        Connection connection() {
            return Connection.this;
        }

        End other() {
            return this == dialer ? acceptor : dialer;
        }

        void send(LinkMessage message) {
            if (!closed && !writesNoMore && !isReset) {
                travel(message);
            }
        }

        /** Ends the sending direction of this end. */
        void halfClose() {
            send(new LinkMessage.EndOfFile());
            writesNoMore = true;
        }

        /** Closes this end, because the process wants it or because the process has ended. */
        void close() {
            if (closed) {
                return;
            }
            boolean hasUnread = !unread.isEmpty();
            if (!hasUnread) {
                halfClose();
            }
            closed = true;
            unread.clear();
            if (hasUnread) {
                travelReset();
            }
        }

        boolean isClosed() {
            return closed;
        }

        /** Takes the next message for the process to read; null if none is unread or this end is closed. */
        LinkMessage read() {
            return closed ? null : unread.poll();
        }

        /**
         * Whether the process is to be told now that the connection is reset, which then counts as told. The process is
         * told at most once, after it has read the messages that the reset has left.
         */
        boolean takeReset() {
            if (closed || !isReset || resetTold || !unread.isEmpty()) {
                return false;
            }
            resetTold = true;
            return true;
        }

        /** Resets this end, unless it is closed: the kernel has noticed that the connection is dead. */
        void notice() {
            if (!closed) {
                reset();
            }
        }

        private long pathIsOpenNs() {
            long openNs = paths.carriesFromNs(
                    owner.identity().id().slot(), other().owner.identity().id().slot());
            return isSilent ? world.nowNs() : Math.max(openNs, world.nowNs());
        }

        private void travel(LinkMessage message) {
            End to = other();
            inFlight++;
            to.lastArrivalNs = Math.max(to.lastArrivalNs + 1, pathIsOpenNs() + delays.delayNs());
            world.at(to.lastArrivalNs, () -> {
                inFlight--;
                if (isSilent) {
                    return;
                }
                if (to.closed) {
                    if (!(message instanceof LinkMessage.EndOfFile)) {
                        to.travelReset();
                    }
                } else if (!to.isReset) {
                    to.unread.add(message);
                    to.owner.wakeForReading(to);
                }
            });
        }

        private void travelReset() {
            End to = other();
            inFlight++;
            to.lastArrivalNs = Math.max(to.lastArrivalNs + 1, pathIsOpenNs() + delays.delayNs());
            world.at(to.lastArrivalNs, () -> {
                inFlight--;
                if (!isSilent && !to.closed) {
                    to.reset();
                }
            });
        }

        private void reset() {
            isReset = true;
            for (int lost = random.below(unread.size() + 1); lost > 0; lost--) {
                unread.removeLast();
            }
            owner.wakeForReading(this);
        }
    }

    private final Simulation world;
    private final LinkDelays delays;
    private final SeededRandom random;
    private final LinkPaths paths;
    private final End dialer;
    private final End acceptor;
    private boolean isSilent;
    private int inFlight;

    Connection(
            Simulation world,
            LinkDelays delays,
            SeededRandom random,
            LinkPaths paths,
            LinkHost dialer,
            LinkHost acceptor) {
        this.paths = paths;
        this.world = world;
        this.delays = delays;
        this.random = random;
        this.dialer = new End(dialer);
        this.acceptor = new End(acceptor);
    }

    End dialer() {
        return dialer;
    }

    End acceptor() {
        return acceptor;
    }

    /** Cuts the connection: from now on it swallows all messages. */
    void cut() {
        isSilent = true;
    }

    /** Whether the connection was cut. */
    boolean isCut() {
        return isSilent;
    }

    boolean isBetween(int one, int other) {
        int from = dialer.owner.identity().id().slot();
        int to = acceptor.owner.identity().id().slot();
        return from == one && to == other || from == other && to == one;
    }

    /** Number of messages and resets on their way in both directions; 0 once the connection is cut. */
    int inFlight() {
        return isSilent ? 0 : inFlight;
    }

    /** Whether the connection was not cut, and neither end is closed or reset. */
    boolean isGood() {
        return !isSilent && !dialer.closed && !acceptor.closed && !dialer.isReset && !acceptor.isReset;
    }
}
