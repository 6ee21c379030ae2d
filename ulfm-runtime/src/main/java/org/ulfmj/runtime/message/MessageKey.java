package org.ulfmj.runtime.message;

/** The key by which a message is matched within its communicator: the stream that it is in, its source, and its tag. */
public final class MessageKey {
    /** Stands for the source in a receive that takes a message of any rank. */
    public static final int ANY_SOURCE = -1;
    /** Stands for the tag in a receive that takes a message with any tag. */
    public static final int ANY_TAG = -1;

    /** Stands for no rank: nothing is sent or received. */
    public static final int NO_RANK = -2;

    /** Stream of the program's own messages. */
    public static final int POINT_TO_POINT = 0;
    /**
     * Stream of the messages of collective operations; their tag is mostly the operation's number on the communicator.
     */
    public static final int COLLECTIVE = 1;
    /** Stream of the descriptions of collective operations; their tag is the operation's number, too. */
    public static final int DESCRIPTION = 2;

    private MessageKey() {}
}
