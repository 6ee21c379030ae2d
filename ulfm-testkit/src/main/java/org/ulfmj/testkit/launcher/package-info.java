/** The launcher of processes that are threads, real or simulated, by the classes that {@code mpiexec} ships. */
package org.ulfmj.testkit.launcher;
