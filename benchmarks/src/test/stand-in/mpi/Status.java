package mpi;

public final class Status {}
