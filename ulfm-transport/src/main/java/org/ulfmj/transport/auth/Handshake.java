package org.ulfmj.transport.auth;

import java.security.MessageDigest;
import org.ulfmj.protocol.HmacSha256;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The mutual proof that opens every connection of a job (rule L1): the acceptor speaks first, the dialer proves first,
 * the acceptor proves last.
 *
 * <pre>
 *   acceptor → dialer   CHALLENGE  type 1, na
 *   dialer → acceptor   HELLO      type 2, version, options hash, nd, records, body, proof over "dial", purpose, na and
 *                                  all before
 *   acceptor → dialer   ANSWER     type 3, verdict, body, proof over "accept", purpose, nd, na and all before
 * </pre>
 *
 * The bodies are filled by the caller of this class: which process calls which, and other data that the purpose needs.
 * A body is not used before its proof was checked. The acceptor's fresh nonce {@code na} is part of the dialer's proof,
 * and the dialer's fresh nonce {@code nd} part of the acceptor's. So neither message can be replayed, and a HELLO
 * always comes from a dialer that is connected now. Version and options hash are compared only after the proof, and a
 * difference is answered with a verdict that says so. In every version a HELLO begins with these up to {@code nd} and
 * ends with its proof, so a dialer of another version is proven and told.
 *
 * <p>The dialer says whether everything after the handshake travels in encrypted records: {@code records} is 1 or 0,
 * and under the proof like all else, so no process between the two ends can take them out. Both ends then derive
 * {@link RecordKeys} from the secret and all three messages.
 *
 * <p>One object can serve many connections of a process for one purpose. {@link #dial} and {@link #accept} make the two
 * ends of one connection. Pure: the caller passes in fresh random bytes. Not thread-safe.
 */
public final class Handshake {
    public static final int NONCE_BYTES = 16;
    /** The largest length of a body. */
    public static final int MAX_BODY_BYTES = 4096;
    /** The largest length of a message of a handshake. */
    public static final int MAX_MESSAGE_BYTES = MAX_BODY_BYTES + 128;
    /** The version of the format of all that is sent after the handshake, and of the HELLO behind its nonce. */
    public static final int PROTOCOL_VERSION = 4;

    static final int CHALLENGE = 1;
    static final int HELLO = 2;
    static final int ANSWER = 3;

    final int version;
    final long optionsHash;

    private final HmacSha256 hmac;
    private final byte[] purpose;

    /** @param optionsHash hash of the options that all processes of a job must share */
    public Handshake(JobSecret secret, Purpose purpose, long optionsHash) {
        this(secret, purpose, optionsHash, PROTOCOL_VERSION);
    }

    Handshake(JobSecret secret, Purpose purpose, long optionsHash, int version) {
        this.hmac = new HmacSha256(secret.bytes());
        this.purpose = new byte[] {(byte) purpose.ordinal()};
        this.optionsHash = optionsHash;
        this.version = version;
    }

    /** @param nonce {@link #NONCE_BYTES} fresh random bytes */
    public DialerHandshake dial(byte[] nonce) {
        return new DialerHandshake(this, requireNonce(nonce));
    }

    /** @param nonce {@link #NONCE_BYTES} fresh random bytes */
    public AcceptorHandshake accept(byte[] nonce) {
        return new AcceptorHandshake(this, requireNonce(nonce));
    }

    private static byte[] requireNonce(byte[] nonce) {
        if (nonce.length != NONCE_BYTES) {
            throw new IllegalArgumentException("nonce of " + nonce.length + " bytes, " + NONCE_BYTES + " needed");
        }
        return nonce.clone();
    }

    /** Proof of the dialer over the challenge and its whole HELLO. */
    byte[] dialerProof(byte[] acceptorNonce, byte[] hello) {
        return hmac.of(label("ulfm dial"), purpose, acceptorNonce, hello);
    }

    /** Proof of the acceptor over both nonces and its whole answer. */
    byte[] acceptorProof(byte[] dialerNonce, byte[] acceptorNonce, byte[] answer) {
        return hmac.of(label("ulfm accept"), purpose, dialerNonce, acceptorNonce, answer);
    }

    /**
     * The keys of the records of one connection. The fresh nonces of both ends are part of what they are derived from
     * ({@code hello} holds the dialer's), so no two connections have a key in common.
     */
    RecordKeys recordKeys(boolean isDialer, byte[] acceptorNonce, byte[] hello, byte[] answer) {
        byte[] ofDialer = hmac.of(label("ulfm records of the dialer"), purpose, acceptorNonce, hello, answer);
        byte[] ofAcceptor = hmac.of(label("ulfm records of the acceptor"), purpose, acceptorNonce, hello, answer);
        return isDialer ? RecordKeys.of(ofDialer, ofAcceptor) : RecordKeys.of(ofAcceptor, ofDialer);
    }

    /**
     * The bytes of a label, with a zero byte at the end: so no label together with the bytes that follow equals another
     * label.
     */
    private static byte[] label(String name) {
        byte[] bytes = new byte[name.length() + 1];
        for (int i = 0; i < name.length(); i++) {
            bytes[i] = (byte) name.charAt(i);
        }
        return bytes;
    }

    static boolean isSame(byte[] proof, byte[] expected) {
        return MessageDigest.isEqual(proof, expected);
    }

    /**
     * Checks the length and the type byte of a message, which must be {@code type}, and returns a reader of the bytes
     * behind it.
     */
    static WireReader open(byte[] message, int type) throws HandshakeException {
        if (message.length == 0 || message.length > MAX_MESSAGE_BYTES || message[0] != type) {
            throw new HandshakeException("message of " + message.length + " bytes"
                    + (message.length == 0 ? "" : " and type " + message[0]) + " where type " + type + " was due");
        }
        WireReader in = new WireReader(message);
        in.getByte();
        return in;
    }

    static WireWriter write(int type) {
        return new WireWriter(MAX_MESSAGE_BYTES).putByte(type);
    }

    static void requireBody(byte[] body) {
        if (body.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException("body of " + body.length + " bytes, at most " + MAX_BODY_BYTES);
        }
    }
}
