package mpi;

/** An object that a program gives back when it no longer needs the object. */
public interface Freeable {
    /** Gives the object back. The implementing class says what may be done with the object afterwards. */
    void free();
}
