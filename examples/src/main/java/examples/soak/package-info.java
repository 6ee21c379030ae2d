/**
 * A soak: short jobs of mixed traffic in which ranks are killed or stopped at random moments and every message that a
 * rank receives is checked.
 *
 * <p>{@link examples.soak.Soak} is the driver, which {@code ./soak} starts in a process that does not use MPI. The
 * driver runs {@code bin/mpiexec} with {@link examples.soak.SoakRank} as the program, sends the signals, and reads from
 * mapped {@code RankStatus} files in which call each rank was. The program of the ranks is {@code SoakProgram}, which
 * also runs over ranks as threads.
 */
package examples.soak;
