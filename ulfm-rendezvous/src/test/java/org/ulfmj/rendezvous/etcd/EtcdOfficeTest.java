package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.rendezvous.elect.StateKeeper;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.transport.auth.JobSecret;

/** Tests the election of a coordinator with a real etcd. */
class EtcdOfficeTest {
    private static final long SECOND = 1_000_000_000;

    private final JobSecret secret = JobSecret.random();
    private final Deque<EtcdOffice> opened = new ArrayDeque<>();
    /** Long except in one test, so that no lease ends while a busy machine runs neither this process nor etcd. */
    private int leaseSeconds = 30;

    private EtcdServer etcd;

    /** Notes what a holder is told. */
    private static final class Noted implements EtcdOffice.Holder {
        private final String address;
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private volatile StateKeeper keeper;
        private volatile boolean canBeFound;

        /** @param address null for a process that does not take the office when it is elected */
        Noted(String address) {
            this.address = address;
        }

        @Override
        public String onElected(byte[] image, StateKeeper ofTerm) {
            keeper = ofTerm;
            String text = image == null ? "from nothing" : new String(image, StandardCharsets.UTF_8);
            if (text.equals("broken")) {
                throw new WireFormatException("cut off");
            }
            heard.add("elected " + text);
            return address;
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
        public void onCoordinator(String other) {
            heard.add("coordinator " + other);
        }

        @Override
        public void onCorrupt(String why) {
            heard.add("corrupt: " + why);
        }

        /** Waits until this callback is noted, and drops it and the callbacks that were noted before it. */
        void await(String wanted) throws InterruptedException {
            for (String line = heard.poll(60, TimeUnit.SECONDS);
                    !wanted.equals(line);
                    line = heard.poll(60, TimeUnit.SECONDS)) {
                assertThat(line).as("what comes instead of: " + wanted).isNotNull();
            }
        }

        /** Waits for one of two lines, and drops it and those before it. Returns false if no line comes for 60 s. */
        boolean awaitOneOf(String one, String other) throws InterruptedException {
            String line = heard.poll(60, TimeUnit.SECONDS);
            while (line != null && !line.equals(one) && !line.equals(other)) {
                line = heard.poll(60, TimeUnit.SECONDS);
            }
            return line != null;
        }

        /**
         * Waits for the next line of the record that begins with this text, drops it and the lines before it, and
         * returns it; null if no line comes for 60 s.
         */
        String awaitLike(String beginning) throws InterruptedException {
            String line = heard.poll(60, TimeUnit.SECONDS);
            while (line != null && !line.startsWith(beginning)) {
                line = heard.poll(60, TimeUnit.SECONDS);
            }
            return line;
        }
    }

    @BeforeEach
    void startEtcd() throws IOException {
        etcd = RunningEtcd.start();
    }

    @AfterEach
    void stopEtcd() {
        opened.forEach(EtcdOffice::close);
        if (etcd != null) {
            etcd.close();
        }
    }

    private EtcdOffice office(boolean isLauncher, JobSecret with, Noted holder) {
        return office("", isLauncher, with, holder);
    }

    private EtcdOffice office(String parameter, boolean isLauncher, JobSecret with, Noted holder) {
        RendezvousUrl url = RendezvousUrl.parse(
                "etcd://" + etcd.endpoint() + "/job-1?lease=" + leaseSeconds + parameter,
                new EtcdBackend().parameters());
        EtcdOffice office = EtcdOffice.of(url, with, isLauncher, holder);
        opened.push(office);
        return office;
    }

    private EtcdOffice started(boolean isLauncher, Noted holder) {
        EtcdOffice office = office(isLauncher, secret, holder);
        office.start();
        return office;
    }

    /** Returns, in words, which of the coordinator and its state another process finds in etcd; null for neither. */
    private String found() {
        return office(false, null, null).findOthers(in(60));
    }

    /** Waits until an office knows the coordinator's address; its holder may be told a moment before that, or after. */
    private static void awaitAddress(EtcdOffice office, int port) {
        InetSocketAddress wanted = new InetSocketAddress("127.0.0.1", port);
        await(() -> wanted.equals(office.now()));
    }

    private static void await(BooleanSupplier condition) {
        long untilNs = in(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - untilNs).isNegative();
            Thread.onSpinWait();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long in(long seconds) {
        return System.nanoTime() + seconds * SECOND;
    }

    @Test
    void shouldGoOnFromWhatTheFormerCoordinatorHasStored() throws Exception {
        Noted first = new Noted("127.0.0.1:1");
        EtcdOffice launcher = started(true, first);
        first.await("elected from nothing");
        assertThat(found()).startsWith("has a coordinator");
        first.keeper.store(bytes("one"));
        first.await("stored");
        Noted second = new Noted("127.0.0.1:2");
        EtcdOffice rank = started(false, second);
        second.await("coordinator 127.0.0.1:1");
        awaitAddress(rank, 1);
        assertThat(first.canBeFound).isTrue();
        launcher.close();
        second.await("elected one");
        awaitAddress(rank, 2);
        assertThat(rank.heldUntilNs()).isGreaterThan(System.nanoTime());
    }

    @Test
    void shouldGiveTheOfficeBackToALauncher() throws Exception {
        Noted second = new Noted("127.0.0.1:2");
        EtcdOffice rank = started(false, second);
        second.await("elected from nothing");
        second.keeper.store(bytes("two"));
        second.await("stored");
        Noted first = new Noted("127.0.0.1:1");
        started(true, first);
        second.await("deposed: a launcher wants the office");
        first.await("elected two");
        second.await("coordinator 127.0.0.1:1");
    }

    @Test
    void shouldStoreNothingOfAnEarlierTerm() throws Exception {
        Noted first = new Noted("127.0.0.1:1");
        EtcdOffice launcher = started(true, first);
        first.await("elected from nothing");
        StateKeeper early = first.keeper;
        early.store(bytes("one"));
        first.await("stored");
        launcher.layDown("for a test");
        first.await("elected one");
        early.store(bytes("late"));
        assertThat(first.heard.poll(500, TimeUnit.MILLISECONDS)).isNull();
        first.keeper.store(bytes("two"));
        first.await("stored");
    }

    @Test
    void shouldDeleteTheKeysOfAJobThatIsOver() throws Exception {
        Noted first = new Noted("127.0.0.1:1");
        EtcdOffice launcher = started(true, first);
        first.await("elected from nothing");
        first.keeper.store(bytes("one"));
        first.await("stored");
        Noted second = new Noted(null);
        EtcdOffice rank = started(false, second);
        second.await("coordinator 127.0.0.1:1");
        launcher.finish();
        second.await("elected from nothing");
        await(rank::isOver);
        // Another process may see in etcd that the job is over before the launcher has etcd's answer.
        await(launcher::isFinished);
        assertThat(launcher.isOver()).isFalse();
        rank.close();
        assertThat(found()).isNull();
    }

    private EtcdOffice inOffice(String parameter) throws Exception {
        Noted first = new Noted("127.0.0.1:1");
        EtcdOffice launcher = office(parameter, true, secret, first);
        launcher.start();
        first.await("elected from nothing");
        first.keeper.store(bytes("one"));
        first.await("stored");
        return launcher;
    }

    private static void tell(EtcdOffice launcher, String place) {
        launcher.tellPlace(bytes(place));
        await(launcher::isPlaceTold);
    }

    @Test
    void shouldSayWhereAJobIsJoinedUntilItIsOver() throws Exception {
        EtcdOffice launcher = inOffice("");
        EtcdOffice other = office(false, null, null);
        assertThat(other.findPlace(in(60))).isNull();
        tell(launcher, "here");
        assertThat(other.findPlace(in(60))).isEqualTo(bytes("here"));
        assertThatThrownBy(() -> other.findState(in(60))).isInstanceOf(RendezvousFailure.StateCorrupt.class);
        EtcdOffice knowing = office(false, secret, null);
        assertThat(knowing.findState(in(60))).isEqualTo(bytes("one"));
        awaitAddress(launcher, 1);
        assertThat(knowing.findCoordinator(in(60))).isEqualTo("127.0.0.1:1");
        launcher.finish();
        await(launcher::isFinished);
        assertThat(other.findPlace(in(60))).isNull();
        assertThat(other.findCoordinator(in(60))).isNull();
        assertThat(knowing.findState(in(60))).isNull();
    }

    @Test
    void shouldSealWhereAJobIsJoinedIfItsUrlNamesTheSecret() throws Exception {
        String sealed = "&secret_file=/of/the/job";
        tell(inOffice(sealed), "here");
        assertThat(office(sealed, false, secret, null).findPlace(in(60))).isEqualTo(bytes("here"));
        for (EtcdOffice stranger :
                List.of(office(false, null, null), office(sealed, false, JobSecret.random(), null))) {
            assertThatThrownBy(() -> stranger.findPlace(in(60))).isInstanceOf(RendezvousFailure.StateCorrupt.class);
        }
    }

    @Test
    void shouldForgetWhereAJobIsJoined() throws Exception {
        EtcdOffice launcher = inOffice("");
        tell(launcher, "here");
        launcher.close();
        EtcdOffice other = office(false, null, null);
        assertThat(other.forget(in(60))).isTrue();
        assertThat(other.findPlace(in(60))).isNull();
    }

    @Test
    void shouldTakeNoStateThatWasStoredWithAnotherSecret() throws Exception {
        Noted first = new Noted("127.0.0.1:1");
        EtcdOffice launcher = started(true, first);
        first.await("elected from nothing");
        first.keeper.store(bytes("one"));
        first.await("stored");
        launcher.close();
        Noted second = new Noted("127.0.0.1:2");
        EtcdOffice stranger = office(false, JobSecret.random(), second);
        stranger.start();
        assertThat(second.awaitLike("corrupt")).contains("was not sealed with this job's secret");
        stranger.close();
        assertThat(found()).startsWith("has a state and no coordinator");
    }

    @Test
    void shouldLeaveAStateAloneThatItCannotRead() throws Exception {
        Noted first = new Noted("127.0.0.1:1");
        EtcdOffice launcher = started(true, first);
        first.await("elected from nothing");
        first.keeper.store(bytes("broken"));
        first.await("stored");
        launcher.close();
        Noted second = new Noted("127.0.0.1:2");
        started(false, second);
        assertThat(second.awaitLike("corrupt")).isEqualTo("corrupt: the state of the job in etcd: cut off");
    }

    @Test
    void shouldNotHoldTheOfficeBeyondItsLeaseAndTakeItAgain() throws Exception {
        leaseSeconds = 2;
        Noted first = new Noted("127.0.0.1:1");
        EtcdOffice launcher = started(true, first);
        // Such a short lease may end before the state is stored; then the process is elected anew, and stores it again.
        for (String line = first.awaitLike(""); !line.equals("stored"); line = first.awaitLike("")) {
            if (line.startsWith("elected")) {
                first.keeper.store(bytes("one"));
            }
        }
        etcd.kill();
        assertThatThrownBy(() -> office(false, null, null).findOthers(in(0)))
                .isInstanceOf(RendezvousFailure.Connection.class);
        await(() -> launcher.heldUntilNs() - System.nanoTime() <= 0);
        first.keeper.store(bytes("two"));
        etcd.restart();
        // Either the lease has lived on and the state gets stored, or the lease has ended and a new term begins from
        // the old state.
        assertThat(first.awaitOneOf("stored", "elected one")).isTrue();
    }

    /** Members look for a new coordinator every few seconds, even if the lease is long. */
    @Test
    void shouldLookEveryFewSecondsUnderALongLease() {
        RendezvousUrl url = RendezvousUrl.parse("etcd://h/job-1?lease=3600", new EtcdBackend().parameters());
        EtcdOffice office = EtcdOffice.of(url, secret, true, new Noted(null));
        assertThat(office.leaseNs()).isEqualTo(3_600 * SECOND);
        assertThat(office.pollNs()).isEqualTo(5 * SECOND);
        assertThat(office.findNs()).isEqualTo(2 * (5 * SECOND + 5 * SECOND / 2 + SECOND / 4));
    }

    @Test
    void shouldForgetAJobWithoutACoordinatorOnly() throws Exception {
        Noted first = new Noted("127.0.0.1:1");
        EtcdOffice launcher = started(true, first);
        first.await("elected from nothing");
        first.keeper.store(bytes("one"));
        first.await("stored");
        EtcdOffice other = office(false, null, null);
        assertThat(other.hasCoordinator(in(60))).isTrue();
        assertThat(other.forget(in(60))).isFalse();
        launcher.close();
        assertThat(other.hasCoordinator(in(60))).isFalse();
        assertThat(other.forget(in(60))).isTrue();
        assertThat(other.findOthers(in(60))).isNull();
    }
}
