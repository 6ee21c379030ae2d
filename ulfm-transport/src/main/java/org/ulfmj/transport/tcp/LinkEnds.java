package org.ulfmj.transport.tcp;

/** The ends of the links that a fault happens to: slots, or hosts. */
public sealed interface LinkEnds permits SlotEnds, HostCut {}
