package org.ulfmj.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/** Requests and results as bytes. */
class StoreWireTest {
    private static WireWriter writer() {
        return new WireWriter(1 << 16);
    }

    @Test
    void shouldReadEveryRequestThatItWrote() {
        Set<Class<?>> kinds = new LinkedHashSet<>();
        for (StoreRequest request : List.of(
                new StoreRequest.Set("k", new byte[] {1, 2}),
                new StoreRequest.Get("ä", true),
                new StoreRequest.Get("k", false),
                new StoreRequest.CompareAndSet("k", 1L << 40, new byte[0]),
                new StoreRequest.Add("k", -5),
                new StoreRequest.Delete("k"),
                new StoreRequest.Changes("", new StoreCursor(5, 6)),
                new StoreRequest.Withdraw(7))) {
            WireWriter out = writer();
            request.writeTo(out);
            WireReader in = new WireReader(out.toByteArray());
            assertThat(StoreRequest.readFrom(in)).usingRecursiveComparison().isEqualTo(request);
            in.requireEnd();
            kinds.add(request.getClass());
        }
        assertThat(kinds).containsExactlyInAnyOrder(StoreRequest.class.getPermittedSubclasses());
    }

    @Test
    void shouldReadEveryResultThatItWrote() {
        Set<Class<?>> kinds = new LinkedHashSet<>();
        for (StoreResult result : List.of(
                new StoreResult.Stored(7),
                new StoreResult.Found(7, new byte[] {1}),
                new StoreResult.Sum(-3, 9),
                new StoreResult.Changed(
                        new StoreCursor(8, 3),
                        true,
                        List.of(new StoreChange("k", 7, new byte[] {4}), new StoreChange("l", 8, null))),
                new StoreResult.Withdrawn(),
                new StoreResult.Refused("why"))) {
            WireWriter out = writer();
            result.writeTo(out);
            WireReader in = new WireReader(out.toByteArray());
            assertThat(StoreResult.readFrom(in)).usingRecursiveComparison().isEqualTo(result);
            in.requireEnd();
            kinds.add(result.getClass());
        }
        assertThat(kinds).containsExactlyInAnyOrder(StoreResult.class.getPermittedSubclasses());
    }

    @Test
    void shouldRefuseWhatItNeverWrites() {
        assertThatThrownBy(() -> StoreRequest.readFrom(new WireReader(new byte[] {99})))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("no request to the store has type 99");
        assertThatThrownBy(() -> StoreResult.readFrom(new WireReader(new byte[] {0})))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("no result of the store has type 0");
        byte[] flag = writer().putByte(2).putText("k").putByte(2).toByteArray();
        assertThatThrownBy(() -> StoreRequest.readFrom(new WireReader(flag)))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("a flag is 2");
        byte[] many = writer().putByte(4)
                .putLong(1)
                .putLong(1)
                .putByte(0)
                .putInt(Integer.MAX_VALUE)
                .toByteArray();
        assertThatThrownBy(() -> StoreResult.readFrom(new WireReader(many))).isInstanceOf(WireFormatException.class);
    }
}
