package org.ulfmj.runtime.message;

/**
 * What a probe saw: a message that can be received now.
 *
 * @param source rank of the sender
 * @param tag of the message
 * @param lengthBytes of the whole message
 */
public record Envelope(int source, int tag, long lengthBytes) {}
