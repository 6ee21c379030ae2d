/**
 * For tests of MPI programs: {@link org.ulfmj.testkit.LocalWorld} runs a program over ranks as threads, with faults at
 * points that the test chooses.
 */
package org.ulfmj.testkit;
