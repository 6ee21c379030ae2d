package org.ulfmj.transport.tcp;

import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.record.RecordChannel;

/**
 * Which connections of a fabric carry encrypted records, and after how many bytes each of them is replaced.
 *
 * @param protection which connections carry records
 * @param limitBytes a connection that has encrypted so many bytes is replaced by another one, if its link is resumed
 */
record RecordUse(Protection protection, long limitBytes) {
    static RecordUse of(Protection protection) {
        return new RecordUse(protection, RecordChannel.DEFAULT_LIMIT_BYTES);
    }
}
