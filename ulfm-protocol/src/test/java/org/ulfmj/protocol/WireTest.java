package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class WireTest {
    @Test
    void shouldReadWhatWasWritten() {
        WireWriter out = new WireWriter(1_000)
                .putByte(0xfe)
                .putInt(-7)
                .putLong(Long.MIN_VALUE)
                .putBytes(new byte[] {1, 2})
                .putBlob(new byte[] {3})
                .putText("größer ∪")
                .putProcess(new ProcessId(5, 2));
        WireReader in = new WireReader(out.toByteArray());

        assertThat(in.remaining()).isEqualTo(out.lengthBytes());
        assertThat(in.getByte()).isEqualTo(0xfe);
        assertThat(in.getInt()).isEqualTo(-7);
        assertThat(in.getLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(in.getBytes(2)).containsExactly(1, 2);
        assertThat(in.getBlob()).containsExactly(3);
        assertThat(in.getText()).isEqualTo("größer ∪");
        assertThat(in.getProcess()).isEqualTo(new ProcessId(5, 2));
        in.requireEnd();
    }

    @Test
    void shouldBeLittleEndian() {
        assertThat(new WireWriter(100).putInt(0x01020304).toByteArray()).containsExactly(4, 3, 2, 1);
    }

    @Test
    void shouldReadTheRemainingBytesOfABufferOfAnyOrderAndLeaveItAlone() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(8).order(ByteOrder.BIG_ENDIAN);
        buffer.put(4, (byte) 7).position(4);
        assertThat(new WireReader(buffer).getInt()).isEqualTo(7);
        assertThat(buffer.position()).isEqualTo(4);
    }

    @Test
    void shouldGrowUpToTheLimitAndNoFurther() {
        WireWriter out = new WireWriter(200);
        for (int i = 0; i < 25; i++) {
            out.putLong(i);
        }
        assertThat(out.lengthBytes()).isEqualTo(200);
        assertThatThrownBy(() -> out.putByte(0))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("message of 201 bytes, at most 200 allowed");
        assertThatThrownBy(() -> new WireWriter(10).putBytes(new byte[11])).isInstanceOf(WireFormatException.class);
    }

    @Test
    void shouldStartAgainAfterClear() {
        WireWriter out = new WireWriter(8).putLong(1);
        out.clear();
        assertThat(out.putInt(2).toByteArray()).containsExactly(2, 0, 0, 0);
    }

    @Test
    void shouldNeverReadPastTheEnd() {
        byte[] three = new byte[3];
        assertThatThrownBy(() -> new WireReader(three).getInt()).hasMessage("4 bytes wanted, 3 left");
        assertThatThrownBy(() -> new WireReader(three).getLong()).hasMessage("8 bytes wanted, 3 left");
        assertThatThrownBy(() -> new WireReader(three).getBytes(4)).hasMessage("4 bytes wanted, 3 left");
        assertThatThrownBy(() -> new WireReader(new byte[0]).getByte()).hasMessage("1 bytes wanted, 0 left");
    }

    @Test
    void shouldCheckLengthsBeforeAllocating() {
        byte[] hugeBlob = new WireWriter(100).putInt(Integer.MAX_VALUE).toByteArray();
        assertThatThrownBy(() -> new WireReader(hugeBlob).getBlob())
                .isInstanceOf(WireFormatException.class)
                .hasMessage("2147483647 bytes wanted, 0 left");
        byte[] negative = new WireWriter(100).putInt(-1).toByteArray();
        assertThatThrownBy(() -> new WireReader(negative).getText()).hasMessage("negative length -1");
        WireReader tenBytes = new WireReader(new byte[10]);
        tenBytes.requireCount(2, 5, "things");
        assertThatThrownBy(() -> tenBytes.requireCount(3, 5, "things")).hasMessage("3 things do not fit into 10 bytes");
        assertThatThrownBy(() -> tenBytes.requireCount(Integer.MAX_VALUE, Integer.MAX_VALUE, "things"))
                .isInstanceOf(WireFormatException.class);
    }

    @Test
    void shouldRefuseImpossibleProcessesAndTrailingBytes() {
        byte[] process = new WireWriter(100).putInt(3).putInt(-1).toByteArray();
        assertThatThrownBy(() -> new WireReader(process).getProcess()).hasMessage("no process 3'-1");
        assertThatThrownBy(() -> new WireReader(new byte[2]).requireEnd()).hasMessage("2 bytes too many");
    }
}
