package org.ulfmj.testkit.junit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * The JUnit side of a {@link SimulatedMpi} method: instead of calling the method once, it runs the method at all ranks
 * under one seed after the other.
 */
final class SimulatedMpiExtension implements InvocationInterceptor, ParameterResolver {
    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context) {
        // JUnit calls the method once, outside of any rank. That call is skipped, and the seeds run instead.
        invocation.skip();
        Method method = called.getExecutable();
        SimulationSettings settings = SimulationSettings.of(
                method.getDeclaringClass().getName() + "#" + method.getName(),
                method.getAnnotation(SimulatedMpi.class),
                context::getConfigurationParameter);
        if (method.getReturnType() != void.class) {
            throw new ExtensionConfigurationException(
                    settings.where() + ": a @SimulatedMpi method is the main of a rank and returns void, not "
                            + method.getReturnType().getSimpleName());
        }
        method.setAccessible(true);
        Object target = called.getTarget().orElse(null);
        new SeedRunner(settings, new SimWorldSimulator(settings.restarts()), rank -> invoke(method, target, rank))
                .run();
    }

    private static void invoke(Method method, Object target, SimulatedRank rank) throws Exception {
        try {
            method.invoke(target, method.getParameterCount() == 0 ? new Object[0] : new Object[] {rank});
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SimulatedRank.class;
    }

    /** Returns null for the parameter: each rank gets its {@link SimulatedRank} when a seed runs. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return null;
    }
}
