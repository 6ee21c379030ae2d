/**
 * A soak: short jobs of mixed traffic in which ranks are killed at random moments and every byte that arrives is
 * checked.
 *
 * <p>{@link examples.soak.Soak} is the driver, which {@code ./soak} starts: its own process that knows nothing of MPI.
 * It runs {@code bin/mpiexec} with {@link examples.soak.SoakRank} as the program, sends the signals, and reads from
 * mapped {@code RankStatus} files in which call each rank was. What the ranks do is {@code SoakProgram}, which runs
 * over ranks as threads as well.
 */
package examples.soak;
