package org.ulfmj.rendezvous.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

class RendezvousCodecTest {
    static List<RendezvousMessage> oneOfEach() {
        MemberRecord a = Members.member(0, 5);
        MemberRecord b = Members.member(new ProcessId(1, 2), -9, 12);
        return List.of(
                new RendezvousMessage.Join(a, 3, 4),
                new RendezvousMessage.JoinAnywhere(new Joiner(2, 7, a), 3, 4),
                new RendezvousMessage.Waiting(new Joiner(2, 7, b)),
                new RendezvousMessage.Table(1, List.of(a, b)),
                new RendezvousMessage.Confirm(1),
                new RendezvousMessage.Final(1, 2, List.of(a, b)),
                new RendezvousMessage.Wait(1, 2, List.of(a, b)),
                new RendezvousMessage.Pending(b),
                new RendezvousMessage.NoMore(7, "why"),
                new RendezvousMessage.Committed(1, 2, List.of(a, b), 1L << 60),
                new RendezvousMessage.Recall(1, 3),
                new RendezvousMessage.StillWaiting(3),
                new RendezvousMessage.Spare(2),
                new RendezvousMessage.Assign(new ProcessId(4, 1)),
                new RendezvousMessage.Out(OutReason.NO_CONFIRM, "why"),
                new RendezvousMessage.Death(ProcessId.of(4), "killed by signal 9"),
                new RendezvousMessage.Departed(new ProcessId(4, 1)),
                new RendezvousMessage.Death(ProcessId.of(4), 0x77, "killed by signal 9"),
                new RendezvousMessage.Departed(new ProcessId(4, 1), 0x77),
                new RendezvousMessage.Fence("why"),
                new RendezvousMessage.Abort(-3, "why"),
                new RendezvousMessage.Goodbye(SlotSet.of(1, 5)),
                new RendezvousMessage.GoodbyeHeard(),
                new RendezvousMessage.Leave("preempted"),
                new RendezvousMessage.LeaveHeard(),
                new RendezvousMessage.Reached(2),
                new RendezvousMessage.Suspect(ProcessId.of(4)),
                new RendezvousMessage.Heard(new ProcessId(4, 1)),
                new RendezvousMessage.AreYouThere(5, List.of(ProcessId.of(4), new ProcessId(3, 2))),
                new RendezvousMessage.AreYouThere(1L << 40, List.of()),
                new RendezvousMessage.Here(1L << 40),
                new RendezvousMessage.DoYouHear(5, ProcessId.of(4)),
                new RendezvousMessage.StillNothing(5, ProcessId.of(4)),
                new RendezvousMessage.Silenced(ProcessId.of(4), "silent for 5000 ms (state D)"),
                new RendezvousMessage.Silenced(ProcessId.of(4), 0x77, "silent for 5000 ms (state D)"),
                new RendezvousMessage.AskWaits(1L << 40),
                new RendezvousMessage.Signal(3, "USR1"),
                new RendezvousMessage.KeepAlive(7),
                new RendezvousMessage.Kept(7),
                new RendezvousMessage.Waits(1L << 40, new byte[] {4, 5}),
                new RendezvousMessage.StoreAsk(7, 1L << 40, List.of(3L, 9L), new StoreRequest.Get("key", true)),
                new RendezvousMessage.StoreAnswer(7, new StoreResult.Found(8, new byte[] {3})),
                new RendezvousMessage.StoreExpired(7, "why"));
    }

    @Test
    void shouldReadWhatItWroteForEveryMessage() {
        Set<Class<?>> kinds = new LinkedHashSet<>();
        for (RendezvousMessage message : oneOfEach()) {
            RendezvousMessage copy = RendezvousCodec.decode(RendezvousCodec.encode(message));
            assertThat(copy).usingRecursiveComparison().isEqualTo(message);
            kinds.add(message.getClass());
        }
        assertThat(kinds).isEqualTo(kindsOf(RendezvousMessage.class));
    }

    private static Set<Class<?>> kindsOf(Class<?> messages) {
        if (!messages.isSealed()) {
            return Set.of(messages);
        }
        Set<Class<?>> kinds = new LinkedHashSet<>();
        for (Class<?> kind : messages.getPermittedSubclasses()) {
            kinds.addAll(kindsOf(kind));
        }
        return kinds;
    }

    @Test
    void shouldRefuseEveryCutMessage() {
        for (RendezvousMessage message : oneOfEach()) {
            byte[] bytes = RendezvousCodec.encode(message);
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> RendezvousCodec.decode(cut)).isInstanceOf(WireFormatException.class);
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> RendezvousCodec.decode(longer)).hasMessage("1 bytes too many");
        }
    }

    @Test
    void shouldRefuseAJoinerThatItsMembersCouldNotPassOn() {
        MemberRecord fine = Members.member(0, 5);
        MemberRecord tooLong =
                new MemberRecord(fine.id(), 5, 0, fine.address(), 5000, "/tmp/" + "x".repeat(1_000), fine.process());
        for (Joiner wrong : List.of(new Joiner(-1, 0, fine), new Joiner(0, -1, fine), new Joiner(0, 0, tooLong))) {
            byte[] bytes = RendezvousCodec.encode(new RendezvousMessage.JoinAnywhere(wrong, 0, 0));
            assertThatThrownBy(() -> RendezvousCodec.decode(bytes))
                    .isInstanceOf(WireFormatException.class)
                    .hasMessageContaining("places begin at 0, and at most 1000 bytes are allowed");
        }
    }

    /**
     * Shows that a message with changed bytes gives a message or a {@link WireFormatException}, never another failure.
     */
    @Test
    void shouldSurviveSpoiltMessages() {
        Random random = new Random(1);
        int refused = 0;
        for (int run = 0; run < 50_000; run++) {
            byte[] bytes = RendezvousCodec.encode(
                    oneOfEach().get(random.nextInt(oneOfEach().size())));
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                RendezvousCodec.decode(bytes);
            } catch (WireFormatException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void shouldNameWhatIsUnknown() {
        assertThatThrownBy(() -> RendezvousCodec.decode(new byte[] {0})).hasMessage("no message has type 0");
        assertThatThrownBy(() -> RendezvousCodec.decode(new byte[] {99})).hasMessage("no message has type 99");
        byte[] ofNoNonce = new byte[21];
        ofNoNonce[0] = RendezvousCodec.DEATH_BY_NONCE;
        assertThatThrownBy(() -> RendezvousCodec.decode(ofNoNonce)).hasMessage("an end by nonce without a nonce");
        assertThatThrownBy(() -> RendezvousCodec.decode(new byte[] {6, 9, 0, 0, 0, 0}))
                .hasMessage("no reason has number 9");
        byte[] all = RendezvousCodec.encode(new RendezvousMessage.Goodbye(SlotSet.ALL));
        assertThatThrownBy(() -> RendezvousCodec.decode(all)).hasMessage("a set of failed slots cannot be all slots");
    }

    @Test
    void shouldHaveRoomForTheLargestWorld() {
        List<MemberRecord> members = new ArrayList<>();
        String path = "/run/user/1000/" + "x".repeat(90);
        for (int slot = 0; slot < RunSpec.MAX_SIZE; slot++) {
            members.add(new MemberRecord(
                    ProcessId.of(slot),
                    slot,
                    0,
                    "host-" + "x".repeat(58),
                    1,
                    path,
                    new HostProcess(1, 1, 1, "b".repeat(36))));
        }
        byte[] bytes = RendezvousCodec.encode(new RendezvousMessage.Final(1, 0, members));
        assertThat(RendezvousCodec.decode(bytes)).isEqualTo(new RendezvousMessage.Final(1, 0, members));
    }
}
