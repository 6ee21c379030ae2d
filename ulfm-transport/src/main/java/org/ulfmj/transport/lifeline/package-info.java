/**
 * Unix-domain sockets between neighbours on a host that witness lives: the end of a process closes them.
 * {@link org.ulfmj.transport.lifeline.Lifelines} holds all lifelines of a rank.
 */
package org.ulfmj.transport.lifeline;
