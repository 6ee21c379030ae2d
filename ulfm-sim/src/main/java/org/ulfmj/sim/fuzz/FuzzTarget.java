package org.ulfmj.sim.fuzz;

import java.util.List;
import java.util.Set;
import org.ulfmj.protocol.WireFormatException;

/**
 * One parser of bytes or text that come from another process, from a file or from the user. {@link FuzzCommand} finds
 * the classes of this type whose names end in {@code Fuzz}; each must have a constructor without arguments. The
 * target's one object parses many inputs, on one thread.
 */
public interface FuzzTarget {
    /** Inputs that the parser accepts. Others are made from them. */
    List<byte[]> samples();

    /**
     * Parses an input. Returns if the parser accepts it.
     *
     * @throws Exception if the parser refuses it: one of {@link #refusals}, and nothing else
     */
    void parse(byte[] input) throws Exception;

    /** The exceptions by which the parser may refuse an input. Only these classes count, not their subclasses. */
    default Set<Class<? extends Exception>> refusals() {
        return Set.of(WireFormatException.class);
    }

    /**
     * The most memory in bytes that parsing an input of this length may allocate in all, what was freed again included.
     */
    default long capBytes(int lengthBytes) {
        return 32 * 1024 + 64L * lengthBytes;
    }

    /** Texts that mean something to the parser, to be put into inputs; none unless a target says so. */
    default List<String> words() {
        return List.of();
    }
}
