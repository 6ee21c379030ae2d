package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * Memory that a program writes and ranks of its host may read where it lies.
 *
 * @param id the id by which other ranks find the memory; never 0
 * @param memory direct, in native order
 */
public record Lent(long id, ByteBuffer memory) {}
