package org.ulfmj.runtime.host;

import org.ulfmj.transport.Segment;

/**
 * What this rank offers in the setup of a {@link HostWindow}: its segment, which was made without the engine lock.
 *
 * @param segment null if this rank could not have one
 */
public record WindowOffer(Segment segment) {}
