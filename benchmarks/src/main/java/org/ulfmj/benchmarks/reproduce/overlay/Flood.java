package org.ulfmj.benchmarks.reproduce.overlay;

/** For comparison with the shipped broadcast: each member tells every other member of the revocation. */
final class Flood implements RevokeWave.Members {
    private final int size;

    Flood(int size) {
        this.size = size;
    }

    @Override
    public int[] onFirst(int rank, int initiator) {
        int[] others = new int[size - 1];
        for (int i = 0; i < others.length; i++) {
            others[i] = (rank + 1 + i) % size;
        }
        return others;
    }
}
