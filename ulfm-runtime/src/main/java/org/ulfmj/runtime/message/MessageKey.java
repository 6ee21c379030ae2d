package org.ulfmj.runtime.message;

/** What a message is matched by, beside its communicator: the stream that it is in, its source, its tag. */
public final class MessageKey {
    /** In place of a source, for a receive: a message of any rank. */
    public static final int ANY_SOURCE = -1;
    /** In place of a tag, for a receive: a message of any tag. */
    public static final int ANY_TAG = -1;

    /** In place of a rank: none, so nothing is sent or received. */
    public static final int NO_RANK = -2;

    /** Stream of the program's own messages. */
    public static final int POINT_TO_POINT = 0;
    /** Stream of the messages of collective operations; their tag is the operation's number on the communicator. */
    public static final int COLLECTIVE = 1;
    /** Stream of the descriptions of collective operations; their tag is the operation's number, too. */
    public static final int DESCRIPTION = 2;

    private MessageKey() {}
}
