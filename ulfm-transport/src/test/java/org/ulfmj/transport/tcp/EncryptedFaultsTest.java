package org.ulfmj.transport.tcp;

import org.junit.jupiter.api.Tag;
import org.ulfmj.transport.record.Protection;

/** Runs {@link LinkFaultsTest} with encrypted records, where the check of a record finds an inverted bit. */
@Tag("release")
class EncryptedFaultsTest extends LinkFaultsTest {
    @Override
    Protection protection() {
        return Protection.AEAD;
    }
}
