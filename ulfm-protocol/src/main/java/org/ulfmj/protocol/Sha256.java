package org.ulfmj.protocol;

import java.util.Arrays;

/**
 * SHA-256 (FIPS 180-4) in plain arithmetic. The platform has it, too, but finding it among the security providers would
 * delay a starting rank, which hashes little. Not thread-safe.
 */
public final class Sha256 {
    public static final int LENGTH_BYTES = 32;
    static final int BLOCK_BYTES = 64;

    private static final int ROUNDS = 64;
    private static final int WORDS = 8;
    /** The offset in the last block of the field that holds the length of the whole message in bits. */
    private static final int LENGTH_OFFSET = BLOCK_BYTES - Long.BYTES;

    /** The first 32 bits of the fractional parts of the square roots of the first eight primes. */
    private static final int[] START = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    };

    /** The first 32 bits of the fractional parts of the cube roots of the first sixty-four primes. */
    private static final int[] ROUND_CONSTANTS = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
    };

    private final int[] state = START.clone();
    private final int[] schedule = new int[ROUNDS];
    private final byte[] block = new byte[BLOCK_BYTES];
    private int filledBytes;
    private long totalBytes;

    /** The hash of one message. */
    public static byte[] of(byte[] message) {
        Sha256 hash = new Sha256();
        hash.update(message);
        return hash.digest();
    }

    /** Takes over the state of another hash, an unfinished block included. */
    void startFrom(Sha256 other) {
        System.arraycopy(other.state, 0, state, 0, WORDS);
        System.arraycopy(other.block, 0, block, 0, other.filledBytes);
        filledBytes = other.filledBytes;
        totalBytes = other.totalBytes;
    }

    public void update(byte[] bytes) {
        totalBytes += bytes.length;
        int at = 0;
        while (at < bytes.length) {
            int count = Math.min(bytes.length - at, BLOCK_BYTES - filledBytes);
            System.arraycopy(bytes, at, block, filledBytes, count);
            at += count;
            filledBytes += count;
            if (filledBytes == BLOCK_BYTES) {
                compress();
                filledBytes = 0;
            }
        }
    }

    /**
     * Returns the hash of all bytes since the last digest, those of a state that was taken over included, and begins a
     * new hash.
     */
    public byte[] digest() {
        block[filledBytes++] = (byte) 0x80;
        if (filledBytes > LENGTH_OFFSET) {
            Arrays.fill(block, filledBytes, BLOCK_BYTES, (byte) 0);
            compress();
            filledBytes = 0;
        }
        Arrays.fill(block, filledBytes, LENGTH_OFFSET, (byte) 0);
        long bits = totalBytes * Byte.SIZE;
        putInt(block, LENGTH_OFFSET, (int) (bits >>> Integer.SIZE));
        putInt(block, LENGTH_OFFSET + Integer.BYTES, (int) bits);
        compress();
        byte[] result = new byte[LENGTH_BYTES];
        for (int i = 0; i < WORDS; i++) {
            putInt(result, i * Integer.BYTES, state[i]);
        }
        System.arraycopy(START, 0, state, 0, WORDS);
        filledBytes = 0;
        totalBytes = 0;
        return result;
    }

    /**
     * Hashes the full {@link #block} into {@link #state}. Names are those of the standard: {@code a} to {@code h} are
     * the working variables, {@code w} is the message schedule. Rotations are written out, because calls are slow as
     * long as the interpreter runs this method.
     */
    private void compress() {
        int[] w = schedule;
        int[] constants = ROUND_CONSTANTS;
        expand(w, block);
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        int e = state[4];
        int f = state[5];
        int g = state[6];
        int h = state[7];
        for (int t = 0; t < ROUNDS; t++) {
            int first = h
                    + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7))
                    + (g ^ e & (f ^ g))
                    + constants[t]
                    + w[t];
            int second = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b | c & (a | b));
            h = g;
            g = f;
            f = e;
            e = d + first;
            d = c;
            c = b;
            b = a;
            a = first + second;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }

    private static void expand(int[] w, byte[] bytes) {
        int at = 0;
        for (int t = 0; t < BLOCK_BYTES / Integer.BYTES; t++, at += Integer.BYTES) {
            w[t] = bytes[at] << 24 | (bytes[at + 1] & 0xff) << 16 | (bytes[at + 2] & 0xff) << 8 | bytes[at + 3] & 0xff;
        }
        for (int t = BLOCK_BYTES / Integer.BYTES; t < ROUNDS; t++) {
            int far = w[t - 15];
            int near = w[t - 2];
            w[t] = w[t - 16]
                    + w[t - 7]
                    + ((far >>> 7 | far << 25) ^ (far >>> 18 | far << 14) ^ far >>> 3)
                    + ((near >>> 17 | near << 15) ^ (near >>> 19 | near << 13) ^ near >>> 10);
        }
    }

    /** Writes a value in big-endian byte order, as the standard demands. */
    private static void putInt(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }
}
