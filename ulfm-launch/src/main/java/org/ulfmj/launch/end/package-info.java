/**
 * How a job ends: for which reason ({@link org.ulfmj.launch.end.EndReason}), by which steps and when
 * ({@link org.ulfmj.launch.end.EndSequence}), and with which exit code ({@link org.ulfmj.launch.end.ExitPolicy}). Pure.
 */
package org.ulfmj.launch.end;
