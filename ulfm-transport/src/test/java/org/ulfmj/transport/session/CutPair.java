package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/**
 * Two link sessions over simulated connections. A seed decides how connections are delayed, cross and are cut. A close
 * with unread bytes resets the connection. The two ends notice a cut one after the other, or only by their timers.
 */
final class CutPair {
    static final Timing TIMING = Timing.fromTimeout(5_000_000_000L);

    private final List<Connection> connections = new ArrayList<>();
    final Rank[] ranks;
    final Random random;
    private final long seed;
    long nowNs;
    int cuts;

    CutPair(long seed) {
        this.seed = seed;
        random = new Random(seed);
        LinkIdentity low = new LinkIdentity(ProcessId.of(0), 1);
        LinkIdentity high = new LinkIdentity(ProcessId.of(1), 2);
        ranks = new Rank[] {new Rank(low, high), new Rank(high, low)};
        ranks[0].other = ranks[1];
        ranks[1].other = ranks[0];
    }

    void run(int frames, int maxCuts, boolean earlyTimers) {
        for (int i = 3 + random.nextInt(100); i > 0; i--) {
            int choice = random.nextInt(100);
            if (choice < 20 && ranks[0].offered + ranks[1].offered < frames) {
                ranks[random.nextInt(2)].offer();
            } else if (choice < 23 && cuts < maxCuts) {
                cut();
            } else if (choice < 26 && earlyTimers) {
                long next = ranks[random.nextInt(2)].session.nextDeadlineNs();
                nowNs = next == Long.MAX_VALUE ? nowNs : Math.max(nowNs, next);
                ranks[random.nextInt(2)].session.onTick(nowNs);
            } else {
                List<Runnable> steps = steps();
                if (!steps.isEmpty()) {
                    step(steps);
                }
            }
        }
    }

    /** Lets everything happen that can happen, timers included, until nothing is left. */
    void settle() {
        for (int i = 0; i < 20_000; i++) {
            List<Runnable> steps = steps();
            if (!steps.isEmpty()) {
                step(steps);
                continue;
            }
            long next = Math.min(ranks[0].session.nextDeadlineNs(), ranks[1].session.nextDeadlineNs());
            if (next == Long.MAX_VALUE) {
                return;
            }
            nowNs = Math.max(nowNs, next);
            for (Rank rank : ranks) {
                rank.session.onTick(nowNs);
            }
        }
        throw new AssertionError("does not settle, " + replay());
    }

    /** Resets all connections; both ranks notice. */
    void resetAll() {
        for (Connection connection : connections) {
            connection.isSilent = true;
            connection.ended[0] = true;
            connection.ended[1] = true;
        }
    }

    /** Everything that may happen next, time apart. */
    List<Runnable> steps() {
        List<Runnable> steps = new ArrayList<>();
        for (Connection connection : List.copyOf(connections)) {
            if (connection.closed[0] && connection.closed[1]) {
                connections.remove(connection);
                continue;
            }
            if (!connection.isAccepted && !connection.isSilent) {
                steps.add(() -> {
                    connection.isAccepted = true;
                    connection.push(connection.ranks[1], new Challenge());
                });
                continue;
            }
            for (int side = 0; side < 2; side++) {
                Rank rank = connection.ranks[side];
                if (connection.closed[side]) {
                    continue;
                }
                if (!connection.toSide.get(side).isEmpty()) {
                    steps.add(() -> rank.read(connection));
                } else if (connection.ended[side]) {
                    steps.add(() -> rank.session.onEnd(connection, nowNs));
                }
            }
        }
        for (Rank rank : ranks) {
            if (rank.session.canWrite()) {
                steps.add(rank::write);
            }
        }
        return steps;
    }

    void step(List<Runnable> steps) {
        steps.get(random.nextInt(steps.size())).run();
    }

    private void cut() {
        if (connections.isEmpty()) {
            return;
        }
        Connection connection = connections.get(random.nextInt(connections.size()));
        cuts++;
        for (int side = 0; side < 2; side++) {
            int kept = random.nextInt(connection.toSide.get(side).size() + 1);
            while (connection.toSide.get(side).size() > kept) {
                connection.toSide.get(side).pollLast();
            }
        }
        connection.isAccepted = true;
        connection.isSilent = true;
        if (random.nextBoolean()) {
            connection.ended[0] = true;
            connection.ended[1] = true;
        }
    }

    String replay() {
        return "seed " + seed + ": " + ranks[0].session + "; " + ranks[1].session;
    }

    private record Challenge() {}

    private record Data(long sequence, long ackUpTo, int number, boolean atOnce) {}

    private record Ack(long upTo) {}

    private record YouFailed() {}

    /** One connection; side 0 has dialed. */
    static final class Connection {
        final Rank[] ranks = new Rank[2];
        final List<ArrayDeque<Object>> toSide = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        final boolean[] ended = new boolean[2];
        final boolean[] closed = new boolean[2];
        boolean isSilent;
        boolean isAccepted;

        int side(Rank rank) {
            return ranks[0] == rank ? 0 : 1;
        }

        void push(Rank from, Object message) {
            int to = 1 - side(from);
            if (closed[to]) {
                ended[1 - to] = true;
            } else if (!isSilent) {
                toSide.get(to).add(message);
            }
        }

        void halfClose(Rank rank) {
            ended[1 - side(rank)] |= !isSilent;
        }

        void close(Rank rank) {
            int side = side(rank);
            closed[side] = true;
            halfClose(rank);
            if (!toSide.get(side).isEmpty()) {
                toSide.get(1 - side).clear(); // a reset destroys what the other has not read
            }
        }
    }

    final class Rank implements LinkActions<Connection> {
        final LinkSession<Connection> session;
        final List<Integer> delivered = new ArrayList<>();
        Rank other;
        int offered;
        /** By session sequence number, counted from 1: the number of the frame. */
        final List<Integer> written = new ArrayList<>();

        int nextNumber;
        int goodbyeNumber = -1;
        boolean isLost;
        boolean wasEverLost;
        boolean isExcluded;
        boolean hasMarked;

        Rank(LinkIdentity self, LinkIdentity peer) {
            session = new LinkSession<>(self, peer, TIMING, this);
        }

        @Override
        public Connection dial() {
            Connection connection = new Connection();
            connection.ranks[0] = this;
            connection.ranks[1] = other;
            connections.add(connection);
            return connection;
        }

        @Override
        public void sendHello(Connection connection, LinkHello hello) {
            connection.push(this, hello);
        }

        @Override
        public void sendOk(Connection connection, LinkOk ok) {
            Connection good = session.adopted();
            assertThat(good != null && good == other.session.adopted() && !good.isSilent)
                    .as("a good connection is displaced, " + replay())
                    .isFalse();
            connection.push(this, ok);
        }

        @Override
        public void sendRefusal(Connection connection, LinkRefusal refusal) {
            connection.push(this, refusal);
        }

        @Override
        public void sendYouFailed(Connection connection) {
            connection.push(this, new YouFailed());
        }

        @Override
        public void sendAck(Connection connection, long ackUpTo) {
            connection.push(this, new Ack(ackUpTo));
        }

        @Override
        public void halfClose(Connection connection) {
            connection.halfClose(this);
        }

        @Override
        public void close(Connection connection) {
            connection.close(this);
        }

        @Override
        public void adopted(Connection connection) {}

        @Override
        public void acknowledged(long upTo) {
            assertThat(upTo).as(replay()).isLessThanOrEqualTo(other.delivered.size());
        }

        @Override
        public void discarded() {}

        @Override
        public void lost() {
            isLost = true;
            wasEverLost = true;
        }

        @Override
        public void restored() {
            isLost = false;
        }

        @Override
        public void distrusted(Connection connection, String what) {
            throw new IllegalStateException(what + ", " + replay());
        }

        @Override
        public void excluded() {
            isExcluded = true;
        }

        @Override
        public void superseded(LinkIdentity by) {
            throw new IllegalStateException(replay());
        }

        @Override
        public void misnamed(LinkIdentity impostor) {
            throw new IllegalStateException(replay());
        }

        void offer() {
            if (!session.isClosedToFrames()) {
                offered++;
                session.onOffered(nowNs);
            }
        }

        /** Says goodbye and leaves. */
        void leave() {
            goodbyeNumber = offered;
            offer();
            session.leave(nowNs);
        }

        void write() {
            long sequence = session.nextToWrite();
            if (sequence > written.size()) {
                written.add(nextNumber++);
            }
            Connection connection = session.adopted();
            long ack = session.onWrite();
            connection.push(this, new Data(sequence, ack, written.get((int) sequence - 1), random.nextBoolean()));
        }

        void read(Connection connection) {
            Object message = connection.toSide.get(connection.side(this)).poll();
            if (message instanceof Challenge) {
                session.onChallenge(connection, nowNs);
            } else if (message instanceof LinkHello hello) {
                session.onHello(connection, hello, nowNs);
            } else if (message instanceof LinkOk ok) {
                session.onOk(connection, ok, nowNs);
            } else if (message instanceof LinkRefusal refusal) {
                session.onRefusal(connection, refusal, nowNs);
            } else if (message instanceof Ack ack) {
                session.onAck(connection, ack.upTo(), nowNs);
            } else if (message instanceof YouFailed) {
                session.onYouFailed(connection, nowNs);
            } else if (message instanceof Data data) {
                if (session.onData(connection, data.sequence(), data.ackUpTo(), data.atOnce(), 10, nowNs)) {
                    assertThat(hasMarked)
                            .as("delivered after the mark, " + replay())
                            .isFalse();
                    assertThat(data.number()).as("order, " + replay()).isEqualTo(delivered.size());
                    delivered.add(data.number());
                    if (data.number() == other.goodbyeNumber) {
                        session.depart(nowNs);
                    }
                }
                session.flushAckIfDue(nowNs);
            }
        }
    }
}
