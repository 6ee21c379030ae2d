/**
 * How a rank leaves the others: the last steps of Finalize, what is done when a signal is to end the process, and the
 * program's actions for signals.
 */
package org.ulfmj.runtime.leave;
