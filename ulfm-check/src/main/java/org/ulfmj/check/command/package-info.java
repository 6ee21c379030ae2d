/** The subcommands {@code run}, {@code re-run}, {@code minimise} and {@code hashes} of {@code bin/ulfm-sim}. */
package org.ulfmj.check.command;
