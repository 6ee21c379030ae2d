package org.ulfmj.testkit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A barrier outside of MPI at which the ranks of a program wait once for each other, for at most 30 s. */
final class Meeting {
    private final CountDownLatch missing;

    Meeting(int ranks) {
        missing = new CountDownLatch(ranks);
    }

    void attend() throws InterruptedException {
        missing.countDown();
        if (!missing.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException(missing.getCount() + " ranks have not come");
        }
    }
}
