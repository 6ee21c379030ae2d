package org.ulfmj.rabit.engine;

/**
 * A place in the sequence of operations that all ranks go through: before the first {@code loadCheckpoint}, or after
 * this many checkpoints.
 *
 * @param phase {@link #BOOTSTRAP} or {@link #VERSIONS}
 * @param version checkpoints that are committed; 0 in the bootstrap phase
 * @param sequence operations before this place, in the bootstrap phase or since the checkpoint
 */
public record Position(int phase, int version, long sequence) implements Comparable<Position> {
    /** Operations before the first {@code loadCheckpoint}: checkpoints do not drop their results. */
    public static final int BOOTSTRAP = 0;
    /** Operations after the first {@code loadCheckpoint}: their results live at most until the next checkpoint. */
    public static final int VERSIONS = 1;

    /** The place where every program begins. */
    public static final Position START = new Position(BOOTSTRAP, 0, 0);

    /** The place of the first operation of a version. */
    public static Position ofVersion(int version) {
        return new Position(VERSIONS, version, 0);
    }

    public boolean isBootstrap() {
        return phase == BOOTSTRAP;
    }

    @Override
    public int compareTo(Position other) {
        if (phase != other.phase) {
            return Integer.compare(phase, other.phase);
        }
        return version != other.version
                ? Integer.compare(version, other.version)
                : Long.compare(sequence, other.sequence);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Position that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * phase + version) + Long.hashCode(sequence);
    }

    /** Returns a text such as {@code operation 3 of the bootstrap phase} or {@code operation 0 of version 2}. */
    @Override
    public String toString() {
        return "operation " + sequence + (isBootstrap() ? " of the bootstrap phase" : " of version " + version);
    }
}
