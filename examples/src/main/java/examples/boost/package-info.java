/** Boosted trees over histograms, for {@link examples.Boost}: the learning, with nothing of MPI in it. */
package examples.boost;
