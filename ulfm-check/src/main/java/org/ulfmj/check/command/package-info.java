/** What {@code bin/ulfm-sim} does for {@code run}, {@code re-run} and {@code minimise}. */
package org.ulfmj.check.command;
