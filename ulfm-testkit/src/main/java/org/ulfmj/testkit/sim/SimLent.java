package org.ulfmj.testkit.sim;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;

/**
 * Memory that a simulated rank lends. What its program writes there is seen at once, as between real ranks it may be.
 */
record SimLent(ProcessId maker, ByteBuffer memory) {}
