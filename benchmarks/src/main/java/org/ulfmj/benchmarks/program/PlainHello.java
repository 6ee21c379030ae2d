package org.ulfmj.benchmarks.program;

import java.io.IOException;

/** A Java program that does not use MPI, for comparison with {@link Hello}. */
public final class PlainHello {
    private PlainHello() {}

    public static void main(String[] args) throws IOException {
        System.out.println("hello from 1");
        Resident.print();
    }
}
