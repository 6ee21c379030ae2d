package mpi;

/**
 * A key of attributes, with its functions. Immutable.
 *
 * @param number by which the program names it
 * @param kind what objects it is for: {@code Comm} or {@code Datatype}
 */
record Keyval<T>(int number, String kind, AttributeCopy<T> copy, AttributeDelete<T> delete) {}
