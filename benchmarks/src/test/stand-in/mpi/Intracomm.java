package mpi;

public class Intracomm extends Comm {
    protected Intracomm() {}
}
