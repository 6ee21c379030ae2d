package org.ulfmj.benchmarks.reproduce;

import java.util.function.IntUnaryOperator;

/** What a message costs between two given ranks, and which of them share a network interface. */
public interface Network {
    /** The costs from one rank to another. */
    LogP between(int from, int to);

    /** How many ranks, one after the other, share an interface; messages between them do not pass it. */
    int ranksPerInterface();

    /** The same costs between all, each with its own interface. */
    static Network uniform(LogP costs) {
        return new Network() {
            @Override
            public LogP between(int from, int to) {
                return costs;
            }

            @Override
            public int ranksPerInterface() {
                return 1;
            }
        };
    }

    /**
     * Ranks packed onto nodes, this many each, in rank order: {@code near} within a node, {@code far} between nodes.
     */
    static Network packed(int ranksPerNode, LogP near, LogP far) {
        return new Nodes(rank -> rank / ranksPerNode, 1, near, far);
    }

    /** The same with one network interface a node. */
    static Network packedBehindOneInterface(int ranksPerNode, LogP near, LogP far) {
        return new Nodes(rank -> rank / ranksPerNode, ranksPerNode, near, far);
    }

    /** Ranks dealt to this many nodes in turn. */
    static Network dealt(int nodes, LogP near, LogP far) {
        return new Nodes(rank -> rank % nodes, 1, near, far);
    }

    /** Near within a node and far between nodes. */
    record Nodes(IntUnaryOperator nodeOf, int ranksPerInterface, LogP near, LogP far) implements Network {
        @Override
        public LogP between(int from, int to) {
            return nodeOf.applyAsInt(from) == nodeOf.applyAsInt(to) ? near : far;
        }
    }
}
