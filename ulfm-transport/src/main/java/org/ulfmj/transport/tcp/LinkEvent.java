package org.ulfmj.transport.tcp;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.FrameSink;

/** What happened to a link between two polls and waits to be told. */
enum LinkEvent {
    /** Of a peer without a link: there was nothing to be read. */
    DRAINED {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onDrained(peer);
        }
    },
    BROKEN {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onLinkBroken(peer);
        }
    },
    RESTORED {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onLinkRestored(peer);
        }
    },
    EXCLUDED {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onExcluded(peer);
        }
    };

    abstract void tell(FrameSink sink, ProcessId peer);

    /** One of them with its peer. */
    record Posted(LinkEvent event, ProcessId peer) {}
}
