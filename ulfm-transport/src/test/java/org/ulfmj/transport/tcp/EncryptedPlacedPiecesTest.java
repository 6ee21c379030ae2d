package org.ulfmj.transport.tcp;

import org.ulfmj.transport.record.Protection;

/**
 * Runs {@link PlacedPiecesTest} with encrypted records: pieces that come out of records are read into their place too.
 */
class EncryptedPlacedPiecesTest extends PlacedPiecesTest {
    @Override
    Protection protection() {
        return Protection.AEAD;
    }
}
