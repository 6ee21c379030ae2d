/**
 * How a rank leaves the others: the last steps of Finalize, what is done when a signal is to end the process, and what
 * the program does on signals.
 */
package org.ulfmj.runtime.leave;
