package org.ulfmj.runtime;

/** A group of ranks with a name of its own: what a program sends, receives and recovers on. */
public final class Communicator {}
