package mpi;

public final class Datatype {}
