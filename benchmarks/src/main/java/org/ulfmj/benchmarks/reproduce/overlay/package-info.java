/** The published results about the binomial graph and the broadcasts over it: its shape, its cuts, revocations. */
package org.ulfmj.benchmarks.reproduce.overlay;
