/** Measured figures: where they are kept, and the bars that they are compared with. */
package org.ulfmj.benchmarks.result;
