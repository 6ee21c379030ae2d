package org.ulfmj.testkit.sim;

/** Something that happens at a moment of virtual time, on the thread that has the baton. */
interface Event {
    void happen();
}
