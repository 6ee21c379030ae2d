package org.ulfmj.transport.tcp;

import org.junit.jupiter.api.Tag;
import org.ulfmj.transport.record.Protection;

/** Faults of links whose connections carry encrypted records, where a spoilt bit is found by the check of a record. */
@Tag("release")
class EncryptedFaultsTest extends LinkFaultsTest {
    @Override
    Protection protection() {
        return Protection.AEAD;
    }
}
