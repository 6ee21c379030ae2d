package org.ulfmj.launch.agent;

/** How many bytes of a stream may be sent before its reader reports that it has read some. Any thread. */
final class Credit {
    private int bytes = CreditedInput.CREDIT_BYTES;
    private boolean isOver;

    /**
     * Takes credit for sending; waits while there is none.
     *
     * @param most the largest number of bytes to take
     * @return how many bytes may be sent; 0 once the stream has {@link #end ended}
     */
    synchronized int take(int most) {
        while (bytes == 0 && !isOver) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("threads that send streams are never interrupted", e);
            }
        }
        if (isOver) {
            return 0;
        }
        int taken = Math.min(most, bytes);
        bytes -= taken;
        return taken;
    }

    synchronized void add(int more) {
        bytes += more;
        notifyAll();
    }

    /** The reader wants no more. */
    synchronized void end() {
        isOver = true;
        notifyAll();
    }
}
