package org.ulfmj.rendezvous.elect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.marked.Entry;
import org.ulfmj.rendezvous.marked.SimulatedEtcd;
import org.ulfmj.rendezvous.marked.Txn;

class ElectionTest {
    private static final long MS = 1_000_000;
    private static final long TTL_MS = 9_000;
    private static final long POLL_MS = 3_000;

    private final SimulatedEtcd etcd = new SimulatedEtcd();
    private long nowNs;

    /** One process with what it heard. */
    private final class Process implements ElectionListener {
        final List<String> heard = new ArrayList<>();
        final Election election;
        boolean canBeFound;

        Process(boolean isLauncher) {
            Candidate me = new Candidate(isLauncher, TTL_MS / 1_000, POLL_MS * MS, 100 * MS);
            election = new Election(ElectionKeys.under("/job"), me, this);
        }

        List<String> take() {
            List<String> taken = List.copyOf(heard);
            heard.clear();
            return taken;
        }

        /** Sends all requests that are due now, and gives the election the answer to each. */
        void run() {
            for (EtcdRequest next = election.next(nowNs); next != null; next = election.next(nowNs)) {
                election.answer(carryOut(next), nowNs);
            }
        }

        /** Sees that no process has the office. */
        void look() {
            election.answer(carryOut(election.next(nowNs)), nowNs);
            assertThat(take()).containsExactly("coordinator null");
        }

        /**
         * Takes the request that is due and lets its answer get lost.
         *
         * @param isCarriedOut whether etcd carries the request out before its answer is lost
         */
        EtcdRequest loseAnswer(boolean isCarriedOut) {
            EtcdRequest request = election.next(nowNs);
            if (isCarriedOut) {
                carryOut(request);
            }
            election.answer(new EtcdReply.Unknown(), nowNs);
            return request;
        }

        @Override
        public void onElected(byte[] image) {
            heard.add("elected, " + text(image));
        }

        @Override
        public void onStored() {
            heard.add("stored");
        }

        @Override
        public void onFindable(boolean isFindable) {
            canBeFound = isFindable;
        }

        @Override
        public void onDeposed(String why) {
            heard.add("deposed: " + why);
        }

        @Override
        public void onCoordinator(String address, long term) {
            heard.add("coordinator " + address);
        }

        @Override
        public void onFinished() {
            heard.add("finished");
        }
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "nothing" : new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private EtcdReply carryOut(EtcdRequest request) {
        if (request instanceof EtcdRequest.Grant) {
            return new EtcdReply.Granted(etcd.grant());
        }
        if (request instanceof EtcdRequest.KeepAlive keepAlive) {
            return new EtcdReply.Kept(etcd.isAlive(keepAlive.lease()));
        }
        if (request instanceof EtcdRequest.Revoke revoke) {
            etcd.end(revoke.lease());
            return new EtcdReply.Revoked();
        }
        return new EtcdReply.Done(etcd.carryOut(((EtcdRequest.Transact) request).txn(), false));
    }

    private void pass(long ms) {
        nowNs += ms * MS;
    }

    private String value(String key) {
        Entry entry = etcd.get("/job/" + key);
        return entry == null ? null : text(entry.value());
    }

    /** Returns a launcher that was elected and whose state is stored. */
    private Process launcherInOffice() {
        Process launcher = new Process(true);
        launcher.run();
        launcher.election.announce("h:1");
        launcher.election.store(bytes("one"));
        launcher.run();
        launcher.take();
        return launcher;
    }

    @Test
    void shouldElectTheFirstAndStoreItsState() {
        Process launcher = new Process(true);
        launcher.run();
        assertThat(launcher.take()).containsExactly("coordinator null", "elected, nothing");
        launcher.election.announce("h:1");
        launcher.election.store(bytes("one"));
        launcher.run();
        assertThat(launcher.take()).containsExactly("stored");
        assertThat(value("coord")).isEqualTo("h:1");
        assertThat(value("state")).isEqualTo("one");
        assertThat(launcher.election.isInOffice()).isTrue();
        assertThat(launcher.election.heldUntilNs()).isEqualTo(TTL_MS * MS);

        Process rank = new Process(false);
        rank.run();
        assertThat(rank.take()).containsExactly("coordinator h:1");
        pass(POLL_MS);
        rank.run();
        assertThat(rank.take()).isEmpty();
        launcher.run();
        assertThat(launcher.election.heldUntilNs()).isEqualTo((POLL_MS + TTL_MS) * MS);
    }

    @Test
    void shouldLetARankStandInAndGiveTheOfficeBack() {
        Process launcher = launcherInOffice();
        Process rank = new Process(false);
        etcd.end(1);
        rank.run();
        assertThat(rank.take()).containsExactly("coordinator null", "elected, one");
        rank.election.announce("r:2");
        rank.election.store(bytes("two"));
        rank.run();
        assertThat(rank.take()).containsExactly("stored");

        pass(POLL_MS);
        launcher.run();
        assertThat(launcher.take()).containsExactly("deposed: its lease in etcd has ended", "coordinator r:2");
        assertThat(value("wanted")).isNotNull();
        rank.run();
        assertThat(rank.take()).startsWith("deposed: a launcher wants the office");
        assertThat(value("coord")).isNull();
        pass(POLL_MS);
        rank.run();
        assertThat(value("coord"))
                .as("no rank campaigns while a launcher wants it")
                .isNull();
        launcher.run();
        assertThat(launcher.take()).containsExactly("coordinator null", "elected, two");
    }

    @Test
    void shouldEndTheLeaseOfACampaignWithoutAnswer() {
        Process launcher = new Process(true);
        launcher.look();
        launcher.election.answer(carryOut(launcher.election.next(nowNs)), nowNs);
        assertThat(launcher.loseAnswer(true)).isInstanceOf(EtcdRequest.Transact.class);
        assertThat(value("coord")).isEmpty();
        launcher.run();
        assertThat(value("coord")).as("its lease is revoked").isNull();
        assertThat(launcher.take()).isEmpty();
        pass(100);
        launcher.run();
        assertThat(launcher.take()).containsExactly("elected, nothing");
    }

    @Test
    void shouldNotTakeARepeatedCampaignForAnothers() {
        Process launcher = new Process(true);
        launcher.look();
        launcher.election.answer(carryOut(launcher.election.next(nowNs)), nowNs);
        Txn campaign = ((EtcdRequest.Transact) launcher.election.next(nowNs)).txn();
        etcd.carryOut(campaign, false);
        launcher.election.answer(new EtcdReply.Done(etcd.carryOut(campaign, true)), nowNs);
        launcher.run();
        assertThat(value("coord")).isNull();
        pass(POLL_MS);
        launcher.run();
        assertThat(launcher.take()).endsWith("elected, nothing");
    }

    @Test
    void shouldEndTheLeaseOfACampaignThatWasRefused() {
        Process launcher = new Process(true);
        launcher.look();
        launcher.election.answer(carryOut(launcher.election.next(nowNs)), nowNs);
        long others = etcd.grant();
        etcd.carryOut(new Txn().thenPut(bytes("/job/coord"), bytes("r:2"), others), false);
        EtcdRequest campaign = launcher.election.next(nowNs);
        launcher.election.answer(carryOut(campaign), nowNs);
        launcher.run();
        etcd.end(others);
        carryOut(campaign);
        assertThat(value("coord")).as("the same request comes once more").isNull();
        assertThat(launcher.take()).containsExactly("coordinator r:2");
    }

    @Test
    void shouldRepeatAWriteWithoutAnswerAndLookWhatIsThere() {
        Process launcher = launcherInOffice();
        launcher.election.store(bytes("two"));
        launcher.loseAnswer(true);
        assertThat(launcher.take()).isEmpty();
        assertThat(launcher.election.next(nowNs)).isNull();
        pass(100);
        launcher.run();
        assertThat(launcher.take()).containsExactly("stored");
        assertThat(value("state")).isEqualTo("two");
    }

    @Test
    void shouldGoOnFromAWriteThatCameLate() {
        Process launcher = launcherInOffice();
        launcher.election.store(bytes("two"));
        EtcdRequest late = launcher.loseAnswer(false);
        launcher.election.store(bytes("three"));
        carryOut(late);
        pass(100);
        launcher.run();
        assertThat(launcher.take()).containsExactly("stored");
        assertThat(value("state")).isEqualTo("three");
    }

    @Test
    void shouldNotLetALateWriteUndoALaterOne() {
        Process launcher = launcherInOffice();
        launcher.election.store(bytes("two"));
        EtcdRequest late = launcher.loseAnswer(false);
        pass(100);
        launcher.run();
        launcher.election.store(bytes("three"));
        launcher.run();
        carryOut(late);
        assertThat(value("state")).isEqualTo("three");
    }

    @Test
    void shouldWriteNothingOnceDeposed() {
        Process launcher = launcherInOffice();
        launcher.election.store(bytes("two"));
        etcd.end(1);
        Process other = new Process(true);
        other.run();
        launcher.run();
        assertThat(launcher.take()).startsWith("deposed: another process has the office");
        assertThat(value("state")).isEqualTo("one");
        launcher.election.store(bytes("three"));
        launcher.election.announce("h:1");
        pass(POLL_MS);
        launcher.run();
        assertThat(value("state")).isEqualTo("one");
        assertThat(launcher.election.heldUntilNs()).isNotEqualTo(TTL_MS * MS);
    }

    @Test
    void shouldDeleteTheKeysOfAJobThatIsOver() {
        Process launcher = launcherInOffice();
        launcher.election.finish();
        launcher.loseAnswer(true);
        pass(100);
        launcher.run();
        assertThat(launcher.take()).containsExactly("finished");
        assertThat(value("coord")).isNull();
        assertThat(value("state")).isNull();
        Process rank = new Process(false);
        rank.run();
        assertThat(rank.take()).containsExactly("coordinator null", "elected, nothing");
    }

    @Test
    void shouldStandWithoutEtcd() {
        Process launcher = launcherInOffice();
        for (int i = 0; i < 100; i++) {
            pass(100);
            if (launcher.election.nextDeadlineNs() <= nowNs) {
                launcher.loseAnswer(false);
            }
        }
        assertThat(launcher.take()).isEmpty();
        assertThat(launcher.election.isInOffice()).isTrue();
        assertThat(launcher.election.heldUntilNs()).isLessThan(nowNs);
        pass(100);
        launcher.run();
        assertThat(launcher.take()).isEmpty();
        assertThat(launcher.election.heldUntilNs()).isGreaterThan(nowNs);
    }

    @Test
    void shouldTellWhetherMembersCanFindIt() {
        Process launcher = new Process(true);
        launcher.run();
        launcher.election.announce("h:1");
        assertThat(launcher.canBeFound).isFalse();
        launcher.loseAnswer(true);
        assertThat(launcher.canBeFound)
                .as("whether the address is written is not known")
                .isFalse();
        pass(100);
        launcher.run();
        assertThat(launcher.canBeFound).isTrue();
        pass(POLL_MS);
        launcher.loseAnswer(false);
        assertThat(launcher.canBeFound).as("etcd does not answer").isFalse();
        pass(100);
        launcher.run();
        assertThat(launcher.canBeFound).isTrue();

        launcher.election.layDown("for a test");
        pass(POLL_MS);
        launcher.run();
        assertThat(launcher.take()).endsWith("elected, nothing");
        launcher.canBeFound = false;
        pass(POLL_MS);
        launcher.run();
        assertThat(launcher.canBeFound).as("in this term no address is written").isFalse();
    }

    @Test
    void shouldNotWantTheOfficeAnyMoreOnceItLeaves() {
        Process rank = new Process(false);
        etcd.carryOut(new Txn().thenPut(bytes("/job/state"), bytes("one"), 0), false);
        rank.run();
        Process launcher = new Process(true);
        launcher.run();
        assertThat(value("wanted")).isNotNull();
        launcher.election.leave("it ends");
        launcher.run();
        assertThat(value("wanted")).isNull();
    }

    @Test
    void shouldSayOfALeaseThatCannotBe() {
        assertThatThrownBy(() -> new Candidate(true, 1, 1_000 * MS, MS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("renewed before it ends");
    }
}
