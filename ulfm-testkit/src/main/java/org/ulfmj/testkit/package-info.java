/**
 * For tests of MPI programs: {@link org.ulfmj.testkit.LocalWorld} runs one over ranks as threads, with faults at points
 * of the test's choice.
 */
package org.ulfmj.testkit;
