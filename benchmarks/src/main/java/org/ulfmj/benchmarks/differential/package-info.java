/**
 * Programs that print what package {@code mpi} does, in the words of programs in C that print what another MPI does.
 */
package org.ulfmj.benchmarks.differential;
