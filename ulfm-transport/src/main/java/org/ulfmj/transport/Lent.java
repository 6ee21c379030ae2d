package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * Memory of a program that ranks of its host may read where it lies, and write to where the program's rank allows it.
 *
 * @param id the id by which other ranks find the memory; never 0
 * @param memory direct, in native order
 */
public record Lent(long id, ByteBuffer memory) {}
