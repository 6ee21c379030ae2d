/**
 * Agreement among the members of a communicator that live: the early returning agreement, numbered and kept per
 * communicator ({@link org.ulfmj.agree.consensus.Agreements}), and how many members must take part in a decision.
 */
package org.ulfmj.agree.consensus;
