package org.ulfmj.transport.tcp;

import org.ulfmj.transport.record.Protection;

/**
 * Runs {@link BorrowedFramesTest} with encrypted records: payloads are encrypted directly from the program's memory.
 */
class EncryptedBorrowedFramesTest extends BorrowedFramesTest {
    @Override
    Protection protection() {
        return Protection.AEAD;
    }
}
