package org.ulfmj.transport.auth;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ulfmj.protocol.HmacSha256;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The accepting end of one connection: {@link #challenge}, then {@link #read} the HELLO, then {@link #accept} or
 * {@link #refuse}. Until {@link #read} has returned, the dialer is a stranger, and must not change any state of this
 * process.
 */
public final class AcceptorHandshake {
    private final Handshake shared;
    private final byte[] nonce;
    private byte[] dialerNonce;
    private byte[] mismatch;

    AcceptorHandshake(Handshake shared, byte[] nonce) {
        this.shared = shared;
        this.nonce = nonce;
    }

    /** The first message of the connection: the challenge to the dialer. */
    public byte[] challenge() {
        return Handshake.write(Handshake.CHALLENGE).putBytes(nonce).toByteArray();
    }

    /**
     * Checks the proof of a HELLO and returns its body. Returns null if the dialer is proven but has another version or
     * other options: then the caller sends {@link #mismatch} and ends the connection.
     */
    public byte[] read(byte[] hello) throws HandshakeException {
        if (dialerNonce != null) {
            throw new IllegalStateException("a connection has one HELLO");
        }
        try {
            WireReader in = Handshake.open(hello, Handshake.HELLO);
            int version = in.getInt();
            long optionsHash = in.getLong();
            byte[] itsNonce = in.getBytes(Handshake.NONCE_BYTES);
            byte[] body = in.getBlob();
            int covered = hello.length - in.remaining();
            byte[] proof = in.getBytes(HmacSha256.LENGTH_BYTES);
            in.requireEnd();
            if (!Handshake.isSame(proof, shared.dialerProof(nonce, Arrays.copyOf(hello, covered)))) {
                throw new HandshakeException("the dialer does not know this job's secret");
            }
            dialerNonce = itsNonce;
            return agrees(version, optionsHash) ? body : null;
        } catch (WireFormatException e) {
            throw new HandshakeException("malformed HELLO: " + e.getMessage());
        }
    }

    private boolean agrees(int version, long optionsHash) {
        if (version != shared.version) {
            mismatch = answer(
                    ProofVerdict.OTHER_VERSION,
                    text("protocol version " + shared.version + " was called by a process with version " + version
                            + ": all processes of a job must use the same ulfm.jar"));
        } else if (optionsHash != shared.optionsHash) {
            mismatch = answer(
                    ProofVerdict.OTHER_OPTIONS,
                    text("options of this process hash to " + Long.toHexString(shared.optionsHash)
                            + ", those of its caller to " + Long.toHexString(optionsHash)
                            + ": all processes of a job must be started with the same ulfm.* options"));
        }
        return mismatch == null;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The answer to a proven dialer with another version or other options. Only after {@link #read} has returned null.
     */
    public byte[] mismatch() {
        if (mismatch == null) {
            throw new IllegalStateException("version and options agree");
        }
        return mismatch;
    }

    public byte[] accept(byte[] body) {
        return answer(ProofVerdict.ACCEPTED, body);
    }

    public byte[] refuse(byte[] body) {
        return answer(ProofVerdict.REFUSED, body);
    }

    private byte[] answer(ProofVerdict verdict, byte[] body) {
        Handshake.requireBody(body);
        if (dialerNonce == null) {
            throw new IllegalStateException("an answer comes after a proven HELLO");
        }
        WireWriter out =
                Handshake.write(Handshake.ANSWER).putByte(verdict.ordinal()).putBlob(body);
        return out.putBytes(shared.acceptorProof(dialerNonce, nonce, out.toByteArray()))
                .toByteArray();
    }
}
