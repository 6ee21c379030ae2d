/** Where the time of a benchmark goes: samples from flight recordings of ranks, and parts as shares of a whole. */
package org.ulfmj.benchmarks.profile;
