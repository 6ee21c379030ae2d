/** Boosted trees over histograms, for {@link examples.Boost}: the learning, which does not use MPI. */
package examples.boost;
