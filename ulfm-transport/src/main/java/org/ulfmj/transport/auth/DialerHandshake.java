package org.ulfmj.transport.auth;

import java.util.Arrays;
import org.ulfmj.protocol.HmacSha256;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The dialing end of one connection: {@link #hello} for the acceptor's challenge, then {@link #read} its answer. The
 * connection must not be used before {@link #read} has returned an answer that accepts it.
 */
public final class DialerHandshake {
    private final Handshake shared;
    private final byte[] nonce;
    private byte[] acceptorNonce;
    /** The HELLO, kept where the keys of records are derived from it; null otherwise. */
    private byte[] helloWithRecords;

    private RecordKeys recordKeys;

    DialerHandshake(Handshake shared, byte[] nonce) {
        this.shared = shared;
        this.nonce = nonce;
    }

    /** As {@link #hello(byte[], byte[], boolean)}, for a connection without records. */
    public byte[] hello(byte[] challenge, byte[] body) throws HandshakeException {
        return hello(challenge, body, false);
    }

    /**
     * The HELLO that answers a challenge.
     *
     * @param body at most {@link Handshake#MAX_BODY_BYTES}
     * @param wantsRecords whether everything after the handshake is to travel in encrypted records
     */
    public byte[] hello(byte[] challenge, byte[] body, boolean wantsRecords) throws HandshakeException {
        Handshake.requireBody(body);
        if (acceptorNonce != null) {
            throw new IllegalStateException("a dialer answers one challenge");
        }
        try {
            WireReader in = Handshake.open(challenge, Handshake.CHALLENGE);
            acceptorNonce = in.getBytes(Handshake.NONCE_BYTES);
            in.requireEnd();
        } catch (WireFormatException e) {
            throw new HandshakeException("malformed challenge: " + e.getMessage());
        }
        WireWriter out = Handshake.write(Handshake.HELLO)
                .putInt(shared.version)
                .putLong(shared.optionsHash)
                .putBytes(nonce)
                .putByte(wantsRecords ? 1 : 0)
                .putBlob(body);
        byte[] hello = out.putBytes(shared.dialerProof(acceptorNonce, out.toByteArray()))
                .toByteArray();
        helloWithRecords = wantsRecords ? hello : null;
        return hello;
    }

    /** The keys of this connection's records; null if it has none, or before {@link #read} has returned acceptance. */
    public RecordKeys recordKeys() {
        return recordKeys;
    }

    /** Checks the acceptor's proof in its answer, and returns the answer. */
    public HandshakeAnswer read(byte[] answer) throws HandshakeException {
        if (acceptorNonce == null) {
            throw new IllegalStateException("an answer comes after the HELLO");
        }
        try {
            WireReader in = Handshake.open(answer, Handshake.ANSWER);
            ProofVerdict verdict = ProofVerdict.ofWire(in.getByte());
            byte[] body = in.getBlob();
            int covered = answer.length - in.remaining();
            byte[] proof = in.getBytes(HmacSha256.LENGTH_BYTES);
            in.requireEnd();
            byte[] expected = shared.acceptorProof(nonce, acceptorNonce, Arrays.copyOf(answer, covered));
            if (!Handshake.isSame(proof, expected)) {
                throw new HandshakeException("the acceptor does not know this job's secret");
            }
            if (verdict == null) {
                throw new HandshakeException("unknown verdict " + answer[1]);
            }
            if (verdict == ProofVerdict.ACCEPTED && helloWithRecords != null) {
                recordKeys = shared.recordKeys(true, acceptorNonce, helloWithRecords, answer);
            }
            return new HandshakeAnswer(verdict, body);
        } catch (WireFormatException e) {
            throw new HandshakeException("malformed answer: " + e.getMessage());
        }
    }
}
