/**
 * The launcher of processes that are threads, real or simulated. Classes that {@code mpiexec} ships make its decisions.
 */
package org.ulfmj.testkit.launcher;
