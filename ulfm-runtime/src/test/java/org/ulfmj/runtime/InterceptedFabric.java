package org.ulfmj.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.ulfmj.transport.Fabric;

/** Makes a fabric whose calls a test sees first, and may answer in the fabric's place. */
final class InterceptedFabric {
    /** Answers a call in the fabric's place; null passes the call on. */
    interface Answers {
        Object to(String method, Object[] arguments);
    }

    private InterceptedFabric() {}

    static Fabric of(Fabric fabric, Answers answers) {
        return (Fabric) Proxy.newProxyInstance(
                Fabric.class.getClassLoader(), new Class<?>[] {Fabric.class}, (proxy, method, arguments) -> {
                    Object answer = answers.to(method.getName(), arguments);
                    try {
                        return answer != null ? answer : method.invoke(fabric, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
