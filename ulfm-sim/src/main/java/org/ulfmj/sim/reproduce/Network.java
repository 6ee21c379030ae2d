package org.ulfmj.sim.reproduce;

/** What a message costs between two given ranks. */
@FunctionalInterface
public interface Network {
    /** The costs from one rank to another. */
    LogP between(int from, int to);

    /** The same costs between all. */
    static Network uniform(LogP costs) {
        return (from, to) -> costs;
    }

    /** Nodes of so many ranks each, in rank order: {@code near} within a node, {@code far} between nodes. */
    static Network ofNodes(int ranksPerNode, LogP near, LogP far) {
        return (from, to) -> from / ranksPerNode == to / ranksPerNode ? near : far;
    }
}
