package org.ulfmj.benchmarks.program;

import java.io.IOException;

/** What {@link Hello} is compared with: a Java program that knows nothing of MPI. */
public final class PlainHello {
    private PlainHello() {}

    public static void main(String[] args) throws IOException {
        System.out.println("hello from 1");
        Resident.print();
    }
}
