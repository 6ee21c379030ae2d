package org.ulfmj.runtime.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

class RankIdentityTest {
    private static final byte[] SECRET = new byte[32];

    private static MemberRecord member(ProcessId id) {
        return new MemberRecord(id, 7, 0, "127.0.0.1", 1, "", HostProcess.UNKNOWN);
    }

    @Test
    void shouldTellAWorldOfALaterRoundFromTheFirstOneOfTheSameNames() {
        MemberRecord me = member(ProcessId.of(0));
        List<MemberRecord> table = List.of(me);
        assertThat(RankIdentity.of(me, table, SECRET).members().epoch()).isZero();
        assertThat(RankIdentity.of(me, table, SECRET, true).members().epoch()).isEqualTo(Contacts.FIRST_GATHERED_EPOCH);
    }

    @Test
    void shouldBeANewcomerInAWorldThatDoesNotListIt() {
        MemberRecord me = member(ProcessId.of(2));
        assertThat(RankIdentity.of(me, List.of(member(ProcessId.of(0))), SECRET).isNewcomer())
                .isTrue();
        assertThat(RankIdentity.of(me, List.of(me), SECRET).isNewcomer()).isFalse();
    }
}
