package org.ulfmj.benchmarks.reproduce;

/** One allreduce alone in the world. */
final class PlainAllreduce {
    private static final int BYTES = 64;

    private final LogPWorld<Object> network;
    private final RecursiveDoublingBaseline collective;
    private double lastNs;

    private PlainAllreduce(int ranks, LogP costs) {
        this.network = new LogPWorld<>(ranks, Network.uniform(costs), message -> BYTES, this::receive);
        this.collective = new RecursiveDoublingBaseline(ranks, network, this::done);
        for (int rank = 0; rank < ranks; rank++) {
            network.at(0, rank, collective::start);
        }
    }

    /** The time from every process's call until the last process has the result. */
    static double latencyNs(int ranks, LogP costs) {
        PlainAllreduce world = new PlainAllreduce(ranks, costs);
        world.network.run();
        return world.lastNs;
    }

    private void receive(int rank, int from, Object message) {
        collective.receive(rank, (RecursiveDoublingBaseline.Exchange) message);
    }

    private void done(int rank) {
        lastNs = Math.max(lastNs, network.nowNs());
    }
}
