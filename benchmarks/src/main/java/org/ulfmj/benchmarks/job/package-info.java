/**
 * The jobs that are measured: those whose ranks sleep until they are asked, and those that run from start to end. Also
 * the system's accounts of processor time.
 */
package org.ulfmj.benchmarks.job;
