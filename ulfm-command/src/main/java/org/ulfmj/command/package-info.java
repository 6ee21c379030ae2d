/**
 * The table of the options of a command, with which the command reads its arguments and prints its help; and the
 * exceptions for an unknown option and for a request that cannot be met.
 */
package org.ulfmj.command;
