/**
 * The launcher of processes that are threads, real or simulated. It consists of the classes that {@code mpiexec} ships.
 */
package org.ulfmj.testkit.launcher;
