package org.ulfmj.rendezvous.client;

import java.io.IOException;

/** The launcher demands encrypted records, and this dial offered none: the next one is to offer them. */
final class RecordsDemandedException extends IOException {
    private static final long serialVersionUID = 1L;

    RecordsDemandedException(String why) {
        super(why);
    }
}
