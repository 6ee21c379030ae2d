package org.ulfmj.rendezvous.embed;

import org.ulfmj.transport.auth.JobSecret;

class MemoryHandlerTest extends HandlerContract {
    @Override
    protected String url(String job) {
        return "memory://here/" + job;
    }

    @Override
    protected JobSecret secret() {
        return null;
    }
}
