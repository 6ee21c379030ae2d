package org.ulfmj.transport.auth;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ulfmj.protocol.HmacSha256;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The accepting end of one connection: {@link #challenge}, then {@link #read} the HELLO, then {@link #accept} or
 * {@link #refuse}, or {@link #mismatch} if {@link #read} has returned null. Until {@link #read} has returned, the
 * dialer is a stranger, and must not change any state of this process.
 */
public final class AcceptorHandshake {
    private final Handshake shared;
    private final byte[] nonce;
    private byte[] dialerNonce;
    /** The HELLO, kept where the keys of records are derived from it; null otherwise. */
    private byte[] helloWithRecords;

    private RecordKeys recordKeys;
    private byte[] mismatch;

    AcceptorHandshake(Handshake shared, byte[] nonce) {
        this.shared = shared;
        this.nonce = nonce;
    }

    /** Returns the first message of the connection: the challenge to the dialer. */
    public byte[] challenge() {
        return Handshake.write(Handshake.CHALLENGE).putBytes(nonce).toByteArray();
    }

    /** As {@link #read(byte[], boolean)}, where encrypted records are not demanded. */
    public byte[] read(byte[] hello) throws HandshakeException {
        return read(hello, false);
    }

    /**
     * Checks the proof of a HELLO and returns its body. Returns null if the dialer is proven but has another version or
     * other options, or offers no records where they are demanded: then the caller sends {@link #mismatch} and ends the
     * connection.
     *
     * @param demandsRecords whether a connection without encrypted records is refused. A dialer that offers records is
     *     never refused for that.
     */
    public byte[] read(byte[] hello, boolean demandsRecords) throws HandshakeException {
        if (dialerNonce != null) {
            throw new IllegalStateException("a connection has one HELLO");
        }
        try {
            WireReader in = Handshake.open(hello, Handshake.HELLO);
            int version = in.getInt();
            long optionsHash = in.getLong();
            byte[] itsNonce = in.getBytes(Handshake.NONCE_BYTES);
            checkProof(hello, in.remaining());
            dialerNonce = itsNonce;
            // In other versions the rest of the HELLO has another layout, so it is not read.
            if (!isOfThisVersion(version)) {
                return null;
            }
            int records = in.getByte();
            byte[] body = in.getBlob();
            in.getBytes(HmacSha256.LENGTH_BYTES);
            in.requireEnd();
            if (!hasSameOptions(optionsHash) || !offersEnough(records, demandsRecords)) {
                return null;
            }
            helloWithRecords = records == 1 ? hello : null;
            return body;
        } catch (WireFormatException e) {
            throw new HandshakeException("malformed HELLO: " + e.getMessage());
        }
    }

    /** The proof is the end of a HELLO in every version, and covers all that comes before it. */
    private void checkProof(byte[] hello, int unread) throws HandshakeException {
        if (unread < HmacSha256.LENGTH_BYTES) {
            throw new HandshakeException("malformed HELLO: " + unread + " bytes where its proof should be");
        }
        int covered = hello.length - HmacSha256.LENGTH_BYTES;
        byte[] proof = Arrays.copyOfRange(hello, covered, hello.length);
        if (!Handshake.isSame(proof, shared.dialerProof(nonce, Arrays.copyOf(hello, covered)))) {
            throw new HandshakeException("the dialer does not know this job's secret");
        }
    }

    private boolean isOfThisVersion(int version) {
        if (version != shared.version) {
            mismatch = answer(
                    ProofVerdict.OTHER_VERSION,
                    text("protocol version " + shared.version + " was called by a process with version " + version
                            + ": all processes of a job must use the same ulfm.jar"));
        }
        return mismatch == null;
    }

    private boolean hasSameOptions(long optionsHash) {
        if (optionsHash != shared.optionsHash) {
            mismatch = answer(
                    ProofVerdict.OTHER_OPTIONS,
                    text("options of this process hash to " + Long.toHexString(shared.optionsHash)
                            + ", those of its caller to " + Long.toHexString(optionsHash)
                            + ": all processes of a job must be started with the same ulfm.* options"));
        }
        return mismatch == null;
    }

    private boolean offersEnough(int records, boolean demandsRecords) throws HandshakeException {
        if (records > 1) {
            throw new HandshakeException("records of an unknown kind, " + records);
        }
        if (records == 0 && demandsRecords) {
            mismatch = answer(
                    ProofVerdict.NO_RECORDS,
                    text(
                            "this connection must carry encrypted records, and its caller offers none. To its caller it looks"
                                    + " like one within a host, so a proxy may stand between the two: ulfm.net.protect=aead"
                                    + " encrypts every connection"));
        }
        return mismatch == null;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the answer to a dialer that has proved the secret and is refused before its body is looked at. Only after
     * {@link #read} has returned null.
     */
    public byte[] mismatch() {
        if (mismatch == null) {
            throw new IllegalStateException("version, options and records agree");
        }
        return mismatch;
    }

    public byte[] accept(byte[] body) {
        return answer(ProofVerdict.ACCEPTED, body);
    }

    public byte[] refuse(byte[] body) {
        return answer(ProofVerdict.REFUSED, body);
    }

    /** The keys of this connection's records; null if it has none, and as long as {@link #accept} was not called. */
    public RecordKeys recordKeys() {
        return recordKeys;
    }

    private byte[] answer(ProofVerdict verdict, byte[] body) {
        Handshake.requireBody(body);
        if (dialerNonce == null) {
            throw new IllegalStateException("an answer comes after a proven HELLO");
        }
        WireWriter out =
                Handshake.write(Handshake.ANSWER).putByte(verdict.ordinal()).putBlob(body);
        byte[] answer = out.putBytes(shared.acceptorProof(dialerNonce, nonce, out.toByteArray()))
                .toByteArray();
        if (verdict == ProofVerdict.ACCEPTED && helloWithRecords != null) {
            recordKeys = shared.recordKeys(false, nonce, helloWithRecords, answer);
        }
        return answer;
    }
}
