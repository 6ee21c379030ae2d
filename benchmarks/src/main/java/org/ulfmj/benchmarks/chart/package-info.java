/** Pictures, drawn as scalable graphics without a library. */
package org.ulfmj.benchmarks.chart;
