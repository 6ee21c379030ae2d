/**
 * The table of the options of a command, with which the command reads its arguments and prints its help; and the
 * exception for a request that cannot be met.
 */
package org.ulfmj.command;
