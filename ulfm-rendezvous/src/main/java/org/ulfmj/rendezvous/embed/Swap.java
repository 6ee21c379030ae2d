package org.ulfmj.rendezvous.embed;

/**
 * The outcome of a {@link SharedStore#compareAndSet}.
 *
 * @param isDone whether the value was stored
 * @param present what is stored now: the new value if it was stored, else what was found instead; null for nothing
 */
public record Swap(boolean isDone, StoredValue present) {}
