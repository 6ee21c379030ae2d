/**
 * From one world to the next: what {@code replace} and {@code grow} are asked for and how they end, the processes that
 * were announced, and one such call at one member ({@link org.ulfmj.agree.change.WorldChange}).
 */
package org.ulfmj.agree.change;
