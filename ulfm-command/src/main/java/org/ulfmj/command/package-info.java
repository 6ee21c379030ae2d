/** The table of the options of a command, with which the command reads its arguments and prints its help. */
package org.ulfmj.command;
