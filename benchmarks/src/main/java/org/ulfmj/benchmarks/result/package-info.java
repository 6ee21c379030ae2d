/** Measured figures: where they are kept, and the bars that they are held against. */
package org.ulfmj.benchmarks.result;
