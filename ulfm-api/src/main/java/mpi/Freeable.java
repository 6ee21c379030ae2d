package mpi;

/** Something that a program gives back when it no longer needs it. */
public interface Freeable {
    /** Gives it back; what may be done with it afterwards is said at the implementing class. */
    void free();
}
