package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/** The calls of {@link Comm} that pack and unpack: checks the program's arguments and copies. Without state. */
final class PackCalls {
    private PackCalls() {}

    static int pack(Comm comm, Object inbuf, int incount, Datatype type, byte[] outbuf, int position) {
        CommState state = comm.enter("pack");
        try {
            Arguments.outgoing(state, "pack", "inbuf", inbuf, "incount", incount, type);
            int bytes = Arguments.packedBytes(state, "pack", "incount", incount, type);
            ByteBuffer target = part(state, "pack", "outbuf", outbuf, position, "incount", incount, type, bytes);
            Packing.pack(inbuf, 0, incount, type, target);
            return position + bytes;
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static int unpack(Comm comm, byte[] inbuf, int position, Object outbuf, int outcount, Datatype type) {
        CommState state = comm.enter("unpack");
        try {
            Arguments.incoming(state, "unpack", "outbuf", outbuf, "outcount", outcount, type);
            int bytes = Arguments.packedBytes(state, "unpack", "outcount", outcount, type);
            ByteBuffer source = part(state, "unpack", "inbuf", inbuf, position, "outcount", outcount, type, bytes);
            Packing.unpack(source, outbuf, 0, outcount, type);
            return position + bytes;
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static int packSize(Comm comm, int incount, Datatype type) {
        CommState state = comm.enter("packSize");
        try {
            Arguments.existing(state, "packSize", "type", type);
            Arguments.count(state, "packSize", "incount", incount);
            if (type.sizeBytes() < 0 && incount > 0) {
                throw Arguments.unfit(state, "packSize", "the message", null, "incount", incount, type);
            }
            return incount == 0 ? 0 : Arguments.packedBytes(state, "packSize", "incount", incount, type);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** Checks the array and the position, and returns the array as a buffer that stands at the position. */
    private static ByteBuffer part(
            CommState state,
            String call,
            String name,
            byte[] packed,
            int position,
            String countName,
            int count,
            Datatype type,
            int bytes) {
        if (packed == null) {
            throw state.bad(ErrorClass.BUFFER, call, name + " is null; allowed: an array");
        }
        if (position < 0 || position > packed.length) {
            throw state.bad(ErrorClass.ARG, call, "position is " + position + "; allowed: 0 to " + packed.length);
        }
        if (bytes > packed.length - position) {
            throw state.bad(
                    ErrorClass.TRUNCATE,
                    call,
                    countName + " (" + count + " of " + type + ", " + bytes + " bytes) does not fit into " + name
                            + ", which has " + (packed.length - position) + " bytes from position " + position
                            + " on; allowed: up to these");
        }
        return ByteBuffer.wrap(packed).order(ByteOrder.nativeOrder()).position(position);
    }
}
