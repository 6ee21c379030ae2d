package org.ulfmj.transport.tcp;

import org.ulfmj.transport.record.Protection;

/** Payloads that are encrypted from where the program has them. */
class EncryptedBorrowedFramesTest extends BorrowedFramesTest {
    @Override
    Protection protection() {
        return Protection.AEAD;
    }
}
