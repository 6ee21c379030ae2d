package org.ulfmj.rendezvous.embed;

class MemoryStoreTest extends StoreContract {
    @Override
    protected String url(String job) {
        return "memory://here/" + job;
    }
}
