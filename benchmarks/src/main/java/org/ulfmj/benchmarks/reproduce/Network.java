package org.ulfmj.benchmarks.reproduce;

import java.util.function.IntUnaryOperator;

/** The costs of a message between two given ranks, and which ranks share a network interface. */
public interface Network {
    /** The costs from one rank to another. */
    LogP between(int from, int to);

    /** How many consecutive ranks share an interface. Messages between them do not pass it. */
    int ranksPerInterface();

    /** A network with the same costs between all ranks, in which each rank has its own interface. */
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

    /** As {@link #packed}, with one network interface per node. */
    static Network packedBehindOneInterface(int ranksPerNode, LogP near, LogP far) {
        return new Nodes(rank -> rank / ranksPerNode, ranksPerNode, near, far);
    }

    /** A network whose ranks are dealt to this many nodes in turn: rank r is on node r modulo {@code nodes}. */
    static Network dealt(int nodes, LogP near, LogP far) {
        return new Nodes(rank -> rank % nodes, 1, near, far);
    }

    /** Costs {@code near} within a node and {@code far} between nodes. */
    record Nodes(IntUnaryOperator nodeOf, int ranksPerInterface, LogP near, LogP far) implements Network {
        @Override
        public LogP between(int from, int to) {
            return nodeOf.applyAsInt(from) == nodeOf.applyAsInt(to) ? near : far;
        }
    }
}
