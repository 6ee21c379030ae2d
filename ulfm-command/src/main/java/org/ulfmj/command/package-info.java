/** The table of options that each command reads its arguments by, and prints its help from. */
package org.ulfmj.command;
