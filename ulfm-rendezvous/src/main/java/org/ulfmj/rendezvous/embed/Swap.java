package org.ulfmj.rendezvous.embed;

/**
 * What became of a {@link SharedStore#compareAndSet}.
 *
 * @param isDone whether the value was stored
 * @param present what is stored now: the new value if it was, else what was there instead; null for nothing
 */
public record Swap(boolean isDone, StoredValue present) {}
