/** Where the time of a benchmark goes: flight recordings of ranks, and their samples as shares of a whole. */
package org.ulfmj.benchmarks.profile;
