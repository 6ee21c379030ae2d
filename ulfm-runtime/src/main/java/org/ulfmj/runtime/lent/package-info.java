/**
 * Memory that a rank lends to others of its host: which buffers are lent, where an offered message lies in one, and how
 * two ranks divide the copy of a message between them. Under the engine lock, but for {@link CopyBoard} and
 * {@link Lending}.
 */
package org.ulfmj.runtime.lent;
