package org.ulfmj.sim.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.sim.SeededRandom;

/**
 * Makes inputs, most of them from samples: bytes of a sample are changed, cut out, repeated, replaced or inserted, and
 * groups of four bytes are overwritten with numbers. Input n of a seed is always the same for the same target.
 */
final class Mutator {
    private static final int MOST_CHANGES = 4;
    private static final int MOST_ADDED_BYTES = 64;
    /** Of this many inputs one, on average, is random and does not come from a sample. */
    private static final int RANDOM_ONE_OF = 40;

    private static final int[] NUMBERS = {
        0,
        1,
        -1,
        2,
        3,
        4,
        7,
        8,
        127,
        128,
        255,
        256,
        0x7fff,
        0x8000,
        0xffff,
        0x10000,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 7,
        Integer.MIN_VALUE,
        Integer.MIN_VALUE + 1
    };

    private final List<byte[]> samples;
    private final List<byte[]> words;
    private final long seed;
    private SeededRandom random;

    Mutator(FuzzTarget target, long seed) {
        this.samples = target.samples();
        this.words = target.words().stream()
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();
        this.seed = seed;
    }

    /** Input number {@code number} of the seed; the first ones are the samples as they are. */
    byte[] input(long number) {
        if (number < samples.size()) {
            return samples.get((int) number).clone();
        }
        random = new SeededRandom(seed + number * 0x9E3779B97F4A7C15L);
        if (random.below(RANDOM_ONE_OF) == 0) {
            return bytes(random.below(4 * MOST_ADDED_BYTES));
        }
        byte[] input = sample().clone();
        for (int left = 1 + random.below(MOST_CHANGES); left > 0; left--) {
            input = change(input);
        }
        return input;
    }

    private byte[] sample() {
        return samples.get(random.below(samples.size()));
    }

    private byte[] change(byte[] input) {
        int at = random.below(input.length + 1);
        int rest = input.length - at;
        return switch (random.below(words.isEmpty() ? 9 : 11)) {
            case 0 -> Arrays.copyOf(input, at);
            case 1 -> splice(input, at, bytes(random.below(MOST_ADDED_BYTES)), 0);
            case 2 -> splice(input, at, new byte[0], random.below(rest + 1));
            case 3 -> splice(input, at, Arrays.copyOfRange(input, at, at + random.below(rest + 1)), 0);
            case 4 -> splice(input, at, end(sample()), rest);
            case 5, 6 -> number(input, at);
            case 7 -> set(input, at, (byte) random.below(256));
            case 8 -> set(input, at, (byte) ((at < input.length ? input[at] : 0) ^ 1 << random.below(8)));
            case 9 -> splice(input, at, words.get(random.below(words.size())), 0);
            default -> {
                byte[] word = words.get(random.below(words.size()));
                yield splice(input, at, word, Math.min(rest, word.length));
            }
        };
    }

    private byte[] end(byte[] sample) {
        return Arrays.copyOfRange(sample, random.below(sample.length + 1), sample.length);
    }

    private byte[] number(byte[] input, int at) {
        int place = random.below(2) == 0 ? at : at & -4;
        if (place + Integer.BYTES > input.length) {
            return input;
        }
        ByteBuffer view = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        int near =
                random.below(3) == 0 ? view.getInt(place) + random.below(9) - 4 : NUMBERS[random.below(NUMBERS.length)];
        view.putInt(place, near);
        return input;
    }

    private static byte[] set(byte[] input, int at, byte value) {
        if (at < input.length) {
            input[at] = value;
        }
        return input;
    }

    /** The input with {@code cut} bytes from {@code at} on replaced by others. */
    private static byte[] splice(byte[] input, int at, byte[] others, int cut) {
        byte[] spliced = new byte[input.length - cut + others.length];
        System.arraycopy(input, 0, spliced, 0, at);
        System.arraycopy(others, 0, spliced, at, others.length);
        System.arraycopy(input, at + cut, spliced, at + others.length, input.length - at - cut);
        return spliced;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) random.below(256);
        }
        return bytes;
    }
}
